#!py
X = __grains__
def run():
    return {}
