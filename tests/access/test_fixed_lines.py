"""Lines of templates that come out whatever a minion is like."""

import pytest

from pillarbook.access.fixed_lines import find_fixed_lines

CASES = {
    "plain": ("a: 1\nb: 2\n", {1, 2}),
    "an expression": ("a: 1\nb: {{ grains.x }}\nc: 3\n", {1, 3}),
    "an expression of two lines": ("a: {{ grains.x\n  or 1 }}\nb: 2\n", {3}),
    "in a condition": ("a: 1\n{% if x %}\nb: 2\n{% else %}\nc: 3\n{% endif %}\nd: 4\n", {1, 7}),
    "in two": ("{% if x %}\n{% for y in z %}\na: 1\n{% endfor %}\nb: 2\n{% endif %}\nc: 3\n", {7}),
    "in one line": ("a: {% if x %}1{% endif %}\nb: 2\n", {2}),
    "set": ("{% set x = grains.y %}\na: 1\n", {2}),
    "set of a text": ("{% set x %}\ntext\n{% endset %}\na: 1\n", {4}),
    "blanks cut": ("{%- if x -%}\na: 1\n{%- endif -%}\nb: 2\n", {4}),
    "comments": ("{# grains.x #}\na: 1 {# one #}\n", {2}),
    "a macro": ("{% macro m() %}\na: 1\n{% endmacro %}\nb: 2\n", {4}),
    "imports": ("{% from 'x' import y with context %}\n{% import_yaml 'z' as z %}\na: 1\n", {3}),
    "loaded": ("{% load_yaml as x %}\na: 1\n{% endload %}\nb: 1\n", {4}),
    "do": ("{% do x.update({'a': 1}) %}\na: 1\n", {2}),
    "raw": ("{% raw %}\na: {{ 1 }}\n{% endraw %}\nb: 2\n", {2, 4}),
    "broken": ("a: 1\n{% if %\n", set()),
    "nothing": ("", set()),
}


@pytest.mark.parametrize(("text", "fixed"), CASES.values(), ids=CASES)
def test_fixed_lines(text: str, fixed: set[int]) -> None:
    assert set(find_fixed_lines(text).lines) == fixed
