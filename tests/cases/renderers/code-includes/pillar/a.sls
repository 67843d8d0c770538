#!mako|yaml
<%include file="inc/p.mako"/>
