#!py
def run():
    return {'py_context_20': str(globals().get('context'))}
