jinja_tmplpath_3: {{ tmplpath | default('none') }} {{ grains.os | default('none') }} {{ seen | default(0) }} {{ tplpath }}
