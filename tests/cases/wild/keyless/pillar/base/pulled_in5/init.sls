{% set shared = 'delta' %}
pulled_in5:
  first: 1
{% include 'pulled_in5/body.sls' %}

  {% include 'no/such-pulled_in5.sls' ignore missing %}

  last: 2
