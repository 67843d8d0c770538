{%- set page = salt['absent.get_url']('https://example.net/functions3.yaml', dest=none) | load_yaml %}
functions3_fetched: {{ page }}
