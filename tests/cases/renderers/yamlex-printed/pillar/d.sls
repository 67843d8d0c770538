{% set d = salt['slsutil.renderer'](string='#!yamlex\njust text') %}
l2: {{ d }}
