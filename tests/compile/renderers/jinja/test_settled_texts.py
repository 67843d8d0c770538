"""A text without Jinja in it comes out as Jinja would give it, without being compiled."""

from typing import Any

import pytest

from pillarbook.compile.renderers.jinja.environment import SaltEnvironment
from pillarbook.compile.renderers.jinja.serializers import ParsedTexts

ALONE = {
    "plain": "a: 1\nb: {c: d}\n",
    "no-line-feed": "a: 1",
    "blank-ends": "\n\na: 1\n\n\n",
    "brace": "a: {b: {c: d}}\n",
    "closers": "a: '}} %} #}'\n",
    "percent": "a: 50%\n",
}
LOOKED_AT = {"expression": "a: {{ 1 }}\n", "tag": "{% set a = 1 %}", "comment": "a: {# b #}\n"}


@pytest.mark.parametrize("text", ALONE.values(), ids=ALONE)
def test_a_text_without_marks_is_left_alone(text: str) -> None:
    environment = SaltEnvironment({}, allow_undefined=False)
    assert environment.leaves_alone(text)
    given = environment.from_string(text).render()
    assert given + ("\n" if text.endswith("\n") else "") == text


@pytest.mark.parametrize("text", LOOKED_AT.values(), ids=LOOKED_AT)
def test_a_text_with_marks_is_not(text: str) -> None:
    assert not SaltEnvironment({}, allow_undefined=False).leaves_alone(text)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"line_statement_prefix": "%"}, "% set a = 1\n"),
        ({"line_comment_prefix": "##"}, "a: 1 ## b\n"),
        ({"variable_start_string": "<<", "variable_end_string": ">>"}, "a: << 1 >>\n"),
        ({"newline_sequence": "\r\n"}, "a: 1\nb: 2\n"),
        ({"keep_trailing_newline": True}, "a: 1\n"),
    ],
)
def test_options_say_what_the_marks_are(arguments: dict[str, Any], text: str) -> None:
    assert not SaltEnvironment(arguments, allow_undefined=False).leaves_alone(text)


@pytest.mark.parametrize("text", ["a: [1, {b: c}]", "a: [2024-01-31, {b: c}]", "a: !!set {b, c}"])
def test_what_is_loaded_is_the_callers_to_change(text: str) -> None:
    parsed = ParsedTexts()
    first = parsed.load_yaml(text)
    before = repr(first)
    first["a"] = first["b"] = None
    second = parsed.load_yaml(text)
    assert repr(second) == before
    if isinstance(second["a"], list):
        second["a"][1].clear()
        assert repr(parsed.load_yaml(text)) == before
