  from_body: {{ grains['site'] }}
  variable: {{ shared }}
