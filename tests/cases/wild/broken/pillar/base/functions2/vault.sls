{% set secret = salt['vault.read_secret']('secret/functions2', 'password') %}
functions2_vault: {{ secret }}
