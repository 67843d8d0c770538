jinja_self_2: {{ self | default('none') }} {{ grains.os | default('none') }} {{ seen | default(0) }}
