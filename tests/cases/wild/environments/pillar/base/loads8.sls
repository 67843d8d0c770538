{% load_yaml as defaults %}
timeout: 30
retries: [1, 5, 25]
mode: 0640
flags: {on: yes}
{% endload %}
{% load_json as document %}
{"name": "{{ grains.host }}", "list": [1, 2.5, null]}
{% endload %}
{% set text = "a: 1\nb: [x, y]" | load_yaml %}
{% set other = '{"c": {"d": "e"}}' | load_json %}
loads8:
  defaults: {{ defaults | json }}
  document: {{ document | yaml }}
  text: {{ text.b | last }}
  other: {{ other.c.d }}
  site: {{ {'ams': 1, 'fra': 2}.get(grains['site'], 3) }}
