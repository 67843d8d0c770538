#!py
def run():
    return {'py_grains_12': str(globals().get('grains'))}
