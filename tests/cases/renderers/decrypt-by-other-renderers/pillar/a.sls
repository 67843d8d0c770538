a:
  text: "{x: 1, y: [2, 3]}"
  json: '{"x": 1}'
  map: {q: 1}
  jinja: "x{{ '{{' }} 1 {{ '}}' }}"
  jinja2: "x"
  num: 5
  toml: "x = 1"
  list: [q, {r: s}]
  plain: text
  nothere: x
  pipe: x
  broken: "{x: "
  empty: ""
  yx: "{x: 1}"
  sc: "{x: 1}"
  mp: "abc"
