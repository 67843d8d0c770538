#!py
def run():
    return {'py_string_17': str(globals().get('string'))}
