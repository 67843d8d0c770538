{% import_yaml "f/data.yml" as d %}{{ d }}
