{% set user = user | default('nobody') %}
name: {{ user }}
home: /home/{{ user }}
size: {{ size | default(1) }}
