#!py
def run():
    one = {"k": [1]}
    return {"s1": one, "s2": one}
