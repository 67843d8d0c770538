a: {{ salt['mine.get']('*', 'x', 'nodegroup') }}
