seen: {{ env | default('none') }} {{ input_data | default('none') }} {{ own | default('none') }}
