{% set secret = salt['vault.read_secret']('secret/functions3', 'password') %}
functions3_vault: {{ secret }}
