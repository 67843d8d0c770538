d: {{ ['a=b'] | from_entries }}
