#!py
def run():
    return {"ge": {k: 1 for k in ("a","b")}, 3: {"x": None}, "fs": frozenset([1])}
