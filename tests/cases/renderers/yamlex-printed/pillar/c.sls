{% set d = salt['slsutil.renderer'](string='#!yamlex\n[a, b]') %}
l: {{ d }}
