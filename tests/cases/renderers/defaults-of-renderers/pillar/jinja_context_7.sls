jinja_context_7: {{ context | default('none') }} {{ grains.os | default('none') }} {{ seen | default(0) }}
