"""Common mistakes in templates and YAML: the remedy says what to write."""

from pathlib import Path

import pytest
from tests.support.fleets import compile_case, write_fleet

CASES = {
    "b: *missing\n": "quote the text that begins with `*`, or define its anchor (`&name`) above",
    "a:\n  b: 1\n c: 2\n": "indent the line as the others of its mapping or list",
    'a: 1\nb: "open\nc: 2\nd: "x"\n': "close the quote that begins in line 2",
    "a: 1\nb: 'it''s open\nc: 2\n": "close the quote that begins in line 2",
    'a: "closed"\nb: [1, 2\n': "close the bracket that is open, and put commas between its members",
    "a:\n- b\nc\n": "write `key: value`, or indent the line as a part of the value above",
    "a: - b\n": "write the `-` on a line below the key",
    "x: {{ grains.os.name }}\n": "the value of which the template reads `name` is a text here, and"
    " no mapping",
    "x: {{ grains.roles.web }}\n": "the value of which the template reads `web` is a list here:"
    " take a member by its position, or test with `in`",
    "{% set m = salt['grains.filter_by']({'Suse': {'pkg': 'x'}}) %}\nx: {{ m.pkg }}\n": "the value of"
    " which the template reads `pkg` is none here, such as the result of `grains.filter_by` if no key"
    " matches; give it a default, or test it before",
    "a: {{ grains.os }\n": "end an expression with `}}`, and a statement with `%}`",
    "{% if true %}\na: 1\n": "add `{% endif %}` where the block ends",
    "{% for a in [1] %}\na: 1\n": "add `{% endfor %}` where the block ends",
    "{% if true %}\n{% end %}\n": "in its place, write `{% elif %}` or `{% else %}` or `{% endif %}`",
    "{% for a in [1] %}{% if a %}\n{% endfor %}\n": "before it, close the `if` with `{% endif %}`",
    "a: 1\n{% endif %}\n": "remove it, or begin its block before",
    "{% if true %}\n{% else if false %}\n{% endif %}\n": "write `{% elif ... %}` in place of"
    " `{% else if ... %}`",
    "{% if grains.os = 'x' %}{% endif %}\n": "compare with `==`",
    "{% if true && true %}{% endif %}\n": "write `and` in place of `&&`",
    "{% if true || true %}{% endif %}\n": "write `or` in place of `||`",
    "{% if !true %}{% endif %}\n": "write `not` in place of `!`",
    "{% for a of [1] %}{% endfor %}\n": "write `{% for NAME in VALUES %}`",
    "{% import_yaml 'x.sls' %}\n": "write `as NAME` after the file",
    "a: {{ grains.get('os' }}\n": "close the bracket that is open",
    "a: {{ grains['os' }}\n": "close the bracket that is open",
    "a: {{ 'open }}\n": "close the quote that begins there",
    'a: {{ "open }}\n': "close the quote that begins there",
    "a: {{ {'x': 1}.y }}\n": "add the key to the mapping, or read it with `.get('y', DEFAULT)`",
    "{% set d = {} %}{% set d.x = 1 %}\n": "use `{% do NAME.update({...}) %}`, or make NAME with"
    " `namespace()`",
    "x: {{ 'a' | yaml_encod }}\n": "did you mean `yaml_encode`?",
    "x: {{ 'a' | jso }}\n": "did you mean `json`?",
    "x: {{ pilar.foo }}\n": "did you mean `pillar`?",
    "x: {{ Production }}\n": "set or import `Production` before it is used; a text needs quotes",
    "{% for a, b in grains.roles %}\nx: 1\n{% endfor %}\n": "a loop over a mapping with key and value"
    " needs `.items()`",
    "x: {{ 'a' + 1 }}\n": "join texts and numbers with `~` in place of `+`",
}


@pytest.mark.parametrize("text", CASES)
def test_the_remedy_of_a_common_mistake(text: str, tmp_path: Path) -> None:
    files = {"top.sls": "base: {'*': [x]}\n", "x.sls": text}
    minions = {"a": {"grains": {"os": "Debian", "os_family": "Debian", "roles": ["web"]}}}
    compiled = compile_case(write_fleet(tmp_path, files, minions))["a"]
    assert [one.help for one in compiled.diagnostics] == [CASES[text]]
