#!py
def run():
    return {'py_salt_15': str(globals().get('salt'))}
