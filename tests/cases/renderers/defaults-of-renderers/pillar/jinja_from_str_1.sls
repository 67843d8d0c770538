jinja_from_str_1: {{ from_str | default('none') }} {{ grains.os | default('none') }} {{ seen | default(0) }}
