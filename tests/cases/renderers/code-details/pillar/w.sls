#!py
def run():
    __grains__["new"] = 1
    __grains__["roles"].append("two")
    return {}
