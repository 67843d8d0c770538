functions3_good: {guarded: {{ salt['no_such.thing']() if 'no_such.thing' in salt else 'skipped' }}}
