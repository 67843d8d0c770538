#!viar
q: {{ grains.os }}
