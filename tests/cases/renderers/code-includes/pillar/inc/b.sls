#!mako|yaml
<%include file="p.mako"/>
bb: 1
