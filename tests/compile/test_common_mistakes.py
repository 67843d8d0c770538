"""Common mistakes in templates and YAML: the remedy says what to write."""

from pathlib import Path

import pytest
from tests.support.fleets import compile_case, open_fleet, write_files, write_fleet

WHOLE = "put quotes around the whole value, because it begins with a quote or bracket"
NO_WORDS = "write `and`, `or` and `not` in place of `&&`, `||` and `!`"
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
    "{% for a of [1] %}{% endfor %}\n": "write `{% for NAME in VALUES %}`",
    "{% import_yaml 'x.sls' %}\n": "write `as NAME` after the file",
    "a: {{ grains.get('os' }}\n": "close the bracket that is open",
    "a: {{ grains['os' }}\n": "close the bracket that is open",
    "a: {{ 'open }}\n": "close the quote that begins there",
    'a: {{ "open }}\n': "close the quote that begins there",
    "{% set d = {} %}{% set d.x = 1 %}\n": "use `{% do NAME.update({...}) %}`, or make NAME with"
    " `namespace()`",
    "x: {{ 'a' | yaml_encod }}\n": "did you mean `yaml_encode`?",
    "x: {{ 'a' | jso }}\n": "did you mean `json`?",
    "x: {{ pilar.foo }}\n": "did you mean `pillar`?",
    "x: {{ Production }}\n": "set or import `Production` before it is used; a text needs quotes",
    "{% for a, b in grains.roles %}\nx: 1\n{% endfor %}\n": "a loop over a mapping with key and value"
    " needs `.items()`",
    "{% if true %}\n{% elseif false %}\n{% endif %}\n": "write `elif` for another condition",
    "{% if true %}\n{% else if false %}\n{% endif %}\n": "write `elif` for another condition",
    "{% if grains.os = 'x' %}\n{% endif %}\n": "compare with `==`, because `=` only sets a variable",
    "{% if {{ grains.os }} == 'x' %}\n{% endif %}\n": "write the name without `{{ }}` inside of"
    " `{% %}`",
    "{% if grains.os && true %}\n{% endif %}\n": NO_WORDS,
    "{% if grains.os || true %}\n{% endif %}\n": NO_WORDS,
    "{% if !grains.os %}\n{% endif %}\n": NO_WORDS,
    'a: "one" two\n': WHOLE,
    "a: [one] two\n": WHOLE,
    "a: {one} two\n": WHOLE,
    "*.example.com: 1\n": "quote the text that begins with `*` or `&`",
    "a: 1\n---\nb: 2\n": "remove the line `---`: a file has a single document",
    "a:\n  b: 1\n\tc: 2\n": "replace the tab with spaces, which YAML needs here",
    "a: &a [1]\nb:\n  <<: *a\n": "name an anchor of a mapping after `<<:`, such as `<<: *name`",
    "{% set a = {'b': 1} %}\nx: {{ a.c }}\n": "add the key to the mapping, or read it with"
    " `.get('c')` and a default",
    "{% set c = 'a\\nb' %}\nx: |\n  {{ c }}\n": "indent all lines that the template prints there:"
    " `{{ VALUE | indent(8) }}`",
    "{% if '12' >= 12 %}\n{% endif %}\n": "compare values of one type, such as with `| int`",
    "#!yaml\na: {{ 1 }}\n": "begin the file with `#!jinja|yaml` if Jinja has to render it, else quote"
    " the text",
    "{% import 'top.sls' as t %}\na: {{ t.y }}\n": "set or correct the name in the imported file",
    "x: {{ 'a' + 1 }}\n": "join texts and numbers with `~` in place of `+`",
}


@pytest.mark.parametrize("text", CASES)
def test_the_remedy_of_a_common_mistake(text: str, tmp_path: Path) -> None:
    files = {"top.sls": "base: {'*': [x]}\n", "x.sls": text}
    minions = {"a": {"grains": {"os": "Debian", "os_family": "Debian", "roles": ["web"]}}}
    compiled = compile_case(write_fleet(tmp_path, files, minions))["a"]
    assert [one.help for one in compiled.diagnostics] == [CASES[text]]


def test_a_name_that_the_imported_file_lacks(tmp_path: Path) -> None:
    files = {
        "top.sls": "base: {'*': [x]}\n",
        "map.jinja": "{% set nginxx = {} %}\n",
        "x.sls": "{% from 'map.jinja' import nginx %}\na: {{ nginx.pkg }}\n",
    }
    (found,) = compile_case(write_fleet(tmp_path, files, {"a": {}}))["a"].diagnostics
    assert found.message == (
        "SLS 'x' does not render: the template 'map.jinja' (imported on line 1) does not export the"
        " requested name 'nginx'"
    )
    assert found.help == (
        "correct the name in the `import`, or set it in the imported file for these minions, too"
    )


OF_STATES = {
    "x:\n  test.nop:\n    - name: a\n    user: b\n": "indent the line as the others of its mapping"
    " or list",
    "{% for a in [1] %}\na: 1\n": "add `{% endfor %}` where the block ends",
    "{% for name, one in pillar.users %}\n{% endfor %}\n": "a loop over a mapping with key and value"
    " needs `.items()`",
    "x: {{ pilar.foo }}\n": "did you mean `pillar`?",
}


@pytest.mark.parametrize("text", OF_STATES)
def test_the_remedy_of_a_common_mistake_in_states(text: str, tmp_path: Path) -> None:
    pillar = {"top.sls": "base: {'*': [x]}\n", "x.sls": "users: {bob: {}}\n"}
    write_fleet(tmp_path, pillar, {"a": {}}, {"file_roots": {"base": ["states"]}})
    write_files(tmp_path, {"states/top.sls": "base: {'*': [x]}\n", "states/x.sls": text})
    with open_fleet(tmp_path) as fleet:
        found = fleet.compile_states("a").diagnostics
    assert [one.help for one in found] == [OF_STATES[text]]
