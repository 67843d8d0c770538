include: [one, changes]
held: {{ 1 }}
