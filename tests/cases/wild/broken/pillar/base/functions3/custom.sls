{% set data = salt['loadtracker.load_pillar']('functions3') %}
functions3_custom: {{ data | json }}
