#jinja2: {"trim_blocks": true, "lstrip_blocks": true}
context5:
  sls: {{ sls }}
  slspath: {{ slspath }} {{ slsdotpath }} {{ tplfile }} {{ tpldir }}
  saltenv: {{ saltenv }}
  id: {{ opts['id'] }} {{ opts.get('no_such', 'unset') }}
  pillar: {{ pillar.get('a', 'empty') }}
  {% if grains['os'] == 'Debian' %}
  os: debian
  {% else %}
  os: other
  {% endif %}
  text: |
    {{ ['a', 'b'] | join('\n') | indent(4) }}
  after: yarrow
