jinja_context_8: {{ context | default('none') }} {{ grains.os | default('none') }} {{ seen | default(0) }}
