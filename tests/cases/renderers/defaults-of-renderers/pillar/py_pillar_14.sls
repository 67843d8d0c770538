#!py
def run():
    return {'py_pillar_14': str(globals().get('pillar'))}
