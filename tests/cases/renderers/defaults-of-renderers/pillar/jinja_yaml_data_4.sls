jinja_yaml_data_4: {{ yaml_data | default('none') }} {{ grains.os | default('none') }} {{ seen | default(0) }}
