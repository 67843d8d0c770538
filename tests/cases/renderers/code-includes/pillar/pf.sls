#!py
def run():
    return False
