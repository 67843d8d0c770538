#!py
def run():
    return {'py_argline_21': str(globals().get('argline'))}
