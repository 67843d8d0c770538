functions3_runner:
  {%- for minion, value in salt['absent.runner']('mine.get', tgt='*', fun='x').items() %}
  {{ minion }}: {{ value }}
  {%- endfor %}
