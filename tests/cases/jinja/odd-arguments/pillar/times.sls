f: {{ [1, 1] | exactly_n_true('2') }}
