#!json
{"a": {"test.nop": [{"b": [1, 2.5, null, true]}]}}
