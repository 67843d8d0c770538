include: ['d.*', s2]
c: text
dv: {{ dv | default('none') }}
