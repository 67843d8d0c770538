#!py
import json
def run():
    return {"js": json.dumps(__grains__["net"])}
