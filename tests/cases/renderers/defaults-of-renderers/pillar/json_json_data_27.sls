#!json
{"json_json_data_27": 1}
