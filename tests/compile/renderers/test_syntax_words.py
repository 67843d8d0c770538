"""What Jinja says of a broken template is told in its own words, without the template's."""

from pathlib import Path

import jinja2
import pytest
from tests.support.fleets import compile_case, open_fleet, write_files, write_fleet

from pillarbook.compile.renderers.error_words import word_exception

CLOSE = "The innermost block that needs to be closed is"
TEMPLATES = {
    "{% if %}": "Expected an expression, got 'end of statement block'",
    "{{ }}": "Expected an expression, got 'end of print statement'",
    "{{ 1 + }}": "unexpected 'end of print statement'",
    "{{ (1 }}": "unexpected '}', expected ')'",
    "{{ 1) }}": "unexpected ')'",
    "{% if a %}": (
        "Unexpected end of template. Jinja was looking for the following tags: 'elif' or 'else' or"
        f" 'endif'. {CLOSE} 'if'."
    ),
    "{% for a in b %}{% endif %}": (
        "Encountered unknown tag 'endif'. Jinja was looking for the following tags: 'endfor' or"
        f" 'else'. {CLOSE} 'for'."
    ),
    "{% for a in b %}{% if a %}{% endfor %}": (
        "Encountered unknown tag 'endfor'. You probably made a nesting mistake. Jinja is expecting"
        f" this tag, but currently looking for 'elif' or 'else' or 'endif'. {CLOSE} 'if'."
    ),
    "{% hunter2 %}": "Encountered an unknown tag.",
    "{% if a %}{% hunter2 %}": (
        "Encountered an unknown tag. Jinja was looking for the following tags: 'elif' or 'else' or"
        f" 'endif'. {CLOSE} 'if'."
    ),
    "{{ a hunter2 }}": "expected token 'end of print statement', got a name",
    "{{ a 'hunter2' }}": "expected token 'end of print statement', got 'string'",
    "{% for hunter2 b %}": "expected token 'in', got a name",
    "{{ {1 2} }}": "expected token ':', got 'integer'",
    "{{ a": "unexpected end of template, expected 'end of print statement'.",
    "{% set 1 = 2 %}": "can't assign to 'const'",
    "{# no end": "Missing end of comment tag",
    "{% raw %}x": "Missing end of raw directive",
    "{{ '\\x' }}": "truncated \\xXX escape",
    "{{ a.? }}": "unexpected char '?' at 5",
    "{% block hunter2 %}{% endblock %}{% block hunter2 %}{% endblock %}": (
        "a block is defined twice"
    ),
    "{% from 'hunter2' import _hunter2 %}": "names starting with an underline can not be imported",
    "{% %}": "tag name expected",
}


@pytest.mark.parametrize(("template", "words"), TEMPLATES.items(), ids=TEMPLATES)
def test_words_of_jinja_stay_and_those_of_the_template_go(template: str, words: str) -> None:
    with pytest.raises(jinja2.TemplateSyntaxError) as raised:
        jinja2.Environment().from_string(template)  # noqa: S701 (nothing is rendered)
    assert word_exception(raised.value) == words


def test_pillar_and_states_say_the_same(tmp_path: Path) -> None:
    write_fleet(
        tmp_path,
        {"top.sls": "base: {'*': [s]}\n", "s.sls": "a: 1\n{% if %}\n"},
        {"m": {}},
        {"file_roots": {"base": ["states"]}},
    )
    states = {"states/top.sls": "base: {'*': [s]}\n", "states/s.sls": "a: 1\n{% if %}\n"}
    write_files(tmp_path, states)
    said = "does not render: Jinja syntax error: Expected an expression, got"
    (fault,) = compile_case(tmp_path)["m"].diagnostics
    assert fault.message == f"SLS 's' {said} 'end of statement block'"
    with open_fleet(tmp_path) as fleet:
        (fault,) = fleet.compile_states("m").diagnostics
    assert fault.message == f"the state SLS 's' {said} 'end of statement block'"
