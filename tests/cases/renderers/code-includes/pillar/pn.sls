#!py
def run():
    return None
