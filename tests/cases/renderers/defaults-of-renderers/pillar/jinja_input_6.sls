jinja_input_6: {{ input | default('none') }} {{ grains.os | default('none') }} {{ seen | default(0) }}
