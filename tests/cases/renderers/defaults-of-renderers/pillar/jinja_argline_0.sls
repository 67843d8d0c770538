jinja_argline_0: {{ argline | default('none') }} {{ grains.os | default('none') }} {{ seen | default(0) }}
