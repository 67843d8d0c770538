#!py
def run():
    return {'py': '%s %s' % (saltenv, __env__), 'sl': sls}
