#!py
def run():
    return {'a': {'test.nop': [{'x': __sls__}, {'y': _pillar_rend if '_pillar_rend' in globals() else 'no'}]}, 'extend': {'a': {'test': [{'z': saltenv if 'saltenv' in globals() else 1}]}}}
