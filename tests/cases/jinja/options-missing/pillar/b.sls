b: {{ opts['nope'] }}
