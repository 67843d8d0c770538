#!py
from __future__ import annotations
def run():
    return {"ns": __name__, "f": __file__[-6:]}
