#!py|yaml
def run():
    return "text: 1"
