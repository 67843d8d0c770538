#!py
def run():
    return {'base': {'*': ['w', 'x', 'sh', 'sh2', 'inc', 'mk', 'cr', 'top2', 'js', 'st', 'ge', 'ob', 'tu', 'ns']}}
