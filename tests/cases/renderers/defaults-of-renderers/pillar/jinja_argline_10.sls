jinja_argline_10: {{ argline | default('none') }} {{ grains.os | default('none') }} {{ seen | default(0) }}
