{% set d = salt['slsutil.renderer'](string='#!yamlex\na: !aggregate [x]\nb: !aggregate {k: v}\nc: !!set {q}\nd: 2020-01-01\ne: [{k: "v w"}]') %}
l3: '{{ d.a }}'
l4: '{{ d.b }}'
l5: '{{ d.c }}'
l6: '{{ d.d }}'
l7: '{{ d.e }}'
