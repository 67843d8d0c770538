jinja_to_str_5: {{ to_str | default('none') }} {{ grains.os | default('none') }} {{ seen | default(0) }}
