#!json
{"json_self_26": 1}
