#!py
def run():
    return {'py_self_16': str(globals().get('self'))}
