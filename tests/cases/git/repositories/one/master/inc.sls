{% from 'mac.jinja' import m %}
inc: {{ m() }}
here: {{ slspath }}
