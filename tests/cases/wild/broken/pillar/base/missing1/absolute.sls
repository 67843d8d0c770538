{% import_yaml '/opt/private/missing1.yaml' as data %}
missing1_absolute: {{ data }}
