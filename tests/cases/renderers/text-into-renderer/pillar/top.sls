base: {'*': [json_yaml, yaml_json, yaml_toml, json_yamlex, text, no_json, empty, mapping, then_gpg]}
