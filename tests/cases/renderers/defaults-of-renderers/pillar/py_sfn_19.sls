#!py
def run():
    return {'py_sfn_19': str(globals().get('sfn'))}
