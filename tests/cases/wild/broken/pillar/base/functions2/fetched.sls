{%- set page = salt['absent.get_url']('https://example.net/functions2.yaml', dest=none) | load_yaml %}
functions2_fetched: {{ page }}
