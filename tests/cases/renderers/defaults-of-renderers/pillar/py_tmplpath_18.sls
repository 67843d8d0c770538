#!py
def run():
    return {'py_tmplpath_18': str(globals().get('tmplpath'))}
