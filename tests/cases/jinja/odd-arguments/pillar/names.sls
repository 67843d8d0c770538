e: {{ 'a' | unique | json }}
