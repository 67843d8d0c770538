#!py
def run():
    return {'py_opts_13': str(globals().get('opts'))}
