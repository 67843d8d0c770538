jinja_context_9: {{ context | default('none') }} {{ grains.os | default('none') }} {{ seen | default(0) }}
