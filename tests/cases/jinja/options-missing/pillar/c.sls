c: {{ opts.nope.deeper | default("none") }}{{ opts.x.y.z }}
