c2: '{{ x }} {{ n }} {{ l | join }}'
