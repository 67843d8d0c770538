#!py
def run():
    return []
