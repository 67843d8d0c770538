#!py
def run():
    return {"tu": ({"a": 1}, [2])}
