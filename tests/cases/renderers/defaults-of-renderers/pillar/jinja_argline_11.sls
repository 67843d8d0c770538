jinja_argline_11: {{ argline | default('none') }} {{ grains.os | default('none') }} {{ seen | default(0) }}
