{% set data = salt['loadtracker.load_pillar']('functions2') %}
functions2_custom: {{ data | json }}
