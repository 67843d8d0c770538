#!py
class S(str): pass
def run():
    return {"ob": S("x"), "by": b"a", "fl": 1.0, "dt": __import__("datetime").datetime(2020,1,2)}
