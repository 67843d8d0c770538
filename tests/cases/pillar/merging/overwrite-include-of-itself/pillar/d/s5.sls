c: [x, null]
dv: {{ dv | default('none') }}
