r"""Which line of a template each piece of its output comes from.

Each template says itself what is expected: wherever it prints ``L7``, that has to come from line 7,
and ``part@L2`` from line 2 of the file ``part``. What the lines have besides is there to get in
the way.
"""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.gpg_decryptor import SealedDecryptor
from pillarbook.compile.renderers.jinja.render import Environments, TemplateView
from pillarbook.compile.renderers.jinja.render import render as render_jinja
from pillarbook.compile.renderers.pipe import builtin_renderers, run_pipe
from pillarbook.compile.renderers.render_context import RenderContext
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.renderers.source_text import SourceText
from pillarbook.model import Node, leaves
from pillarbook.roots.tree_interface import FoundFile

EXPECTED = re.compile(r"(?:(\w+)@)?L(\d+)")
FILES = {
    "part": "{# nothing #}\npart@L2: 1\n{{ 'part@L3' }}: 2\n",
    "lines": "one\ntwo\nthree\n",
    "macros": "{% macro show(x) %}\nx: {{ x }}\n{% endmacro %}\n{% set word = 'w' %}\n",
    "base": "base@L1: 1\n{% block inner %}base@L2: 1 {% endblock %}\n{# #}\nbase@L4: 1\n"
    "{% block other %}\nbase@L6: 1\n{% endblock %}\nbase@L8: 1\n",
    "data": "a: 1\n",
}

TEMPLATES: dict[str, str] = {
    "literal": "L1: 1\nL2: 1\n\n\nL5: 1\n",
    "expression": "L1: {{ 'L1' }}\n{{ 'L2' }}: {{ 'L2' }} L2\n{{ 1 }}{{ 2 }} L3\n",
    "constant": "L1\n{{ 'L2' }}\n{{ 1 + 1 }} L3\n{{ 'L' ~ 4 }}\nL5\n",
    "statement-lines": "L1\n{% set a = 1 %}\n{% set b = 2 %}\nL4\n{% if a %}\nL6\n{% endif %}\nL8\n",
    "dashes": "L1\n{%- set a = 1 -%}\n\n\n  L5: 1\n{%- if a %}\n\nL8\n{%- endif -%}\n\n L11\n",
    "dashed-expression": "L1: \n  {{- 'L2' -}}\n\n L4\n{{- 'L5' }} L5\n",
    "plus": "L1\n  {%+ if true +%}\nL3\n  {%+ endif +%}\nL5\n",
    "comment": "L1\n{# a\ncomment\nover lines #}L4\n{#- dashed\n-#}\n\nL8\n",
    "comment-between": "L1: {# #}L1\n{# one\ntwo #}{{ 'L3' }}{# three\n #}L4\n",
    "raw": "L1\n{% raw %}\n{{ L3 }}\n{% L4 %}\n{% endraw %}\nL6\n",
    "raw-dashes": "L1\n{%- raw -%}\n\n  {{ L4 }}\n{%- endraw -%}\n\nL7\n",
    "loop": "{% for i in [1, 2] %}\nL2: {{ i }}\n{{ 'L3' }}\n{% endfor %}\nL5\n",
    "loop-one-line": "L1{% for i in [1, 2] %}\n  - L2 {{ i }}{% endfor %}\nL3\n",
    "loop-else": "{% for i in [] %}\nx\n{% else %}\nL4\n{% endfor %}\n{% if false %}\nx\n{% else %}\n"
    "L9\n{% endif %}\nL11\n",
    "loop-controls": "{% for i in [1, 2, 3] %}\n{% if i == 2 %}{% continue %}{% endif %}\nL3\n"
    "{% if i == 3 %}{% break %}{% endif %}\nL5\n{% endfor %}\nL7\n",
    "loop-recursive": "{% for i in [1, [2]] recursive %}\n{% if i is number %}\nn: {{ i }}\n"
    "{% else %}\n{{ loop(i) }}\n{% endif %}{% endfor %}\nL7\n",
    "loop-of-loops": "{% for i in [1, 2] %}{% for j in [1, 2] %}\nL2\n{% endfor %}L3\n{% endfor %}L4",
    "macro": "{% macro show(x) %}\n{{ x }}: 1\nnot from here\n{% endmacro %}\n{{ show('L5') }}\nL6\n"
    "  {{- show('L7') }}\n",
    "macro-of-macro": "{% macro a(x) %}{{ x }}{% endmacro %}\n{% macro b(x) %}\n{{ a(x) }}\n"
    "{% endmacro %}\n{{ b('L5') }}\n",
    "call": "{% macro show() %}\n{{ caller() }}\n{% endmacro %}\nL4\n{% call show() %}\nin: it\n"
    "{% endcall %}\nL8\n",
    "set-block": "{% set text %}\nx\n{% endset %}\nL4\n{{ text }} L5\n{{ 'L6' }}\n",
    "filter-block": "L1\n{% filter upper %}\nl3\n{{ 'l4' }}: l4\n{% endfilter %}\nL6\n",
    "filter-block-of-tags": "L1\n{% filter replace('x', 'L2') %}\n{% set a = 1 %}\nx\n{% endfilter %}\n"
    "L6\n",
    "call-of-lines": "{% macro show() %}\n\n{{ caller() }}\n{% endmacro %}\n{% call show() %}L5\n"
    "{{ 'L5' }}{% endcall %}\nL7\n",
    "with": "{% with a = 1,\n  b = 2 %}\nL3 {{ a }}\n{% endwith %}\nL5\n",
    "do": "{% set l = [] %}\n{% do l.append(1) %}\nL3 {{ l }}\n{%- do l.append(\n  2) %}\nL6\n",
    "namespace": "{% set ns = namespace(n=1) %}\n{% set ns.n = 2 %}\nL3 {{ ns.n }}\n",
    "load-yaml": "L1\n{% load_yaml as a %}\nx: 1\n{% endload %}\nL5 {{ a }}\nL6\n",
    "long-tag": "L1\n{% set a = {\n  'x': 1,\n  'y': 2,\n} %}\nL6\n{{ a.x }} L7\n",
    "include": "L1\n{% include 'part' %}\nL3\n{% include 'part' ignore missing %}\nL5\n",
    "include-missing": "L1\n{% include 'nothing' ignore missing %}\nL3\n",
    "include-in-loop": "{% for i in [1, 2] %}\n{% include 'part' %}\nL3\n{% endfor %}\nL5\n",
    "include-without-context": "{% include 'part' without context %}\nL2\n",
    "import": "L1\n{% import 'macros' as m %}\nL3 {{ m.word }}\n{{ m.show('L4') }}\n",
    "from-import": "{% from 'macros' import show with context %}\nL2\n{{ show('L3') }}\nL4\n",
    "import-yaml": "{% import_yaml 'data' as data %}\nL2: {{ data.a }}\n",
    "import-text": "{% import_text 'lines' as text %}\nL2\n{{ text }} x\n",
    "extends": "{% extends 'base' %}\n{% block other %}\nL3: 1\n{{ super() | replace('base@L6', 'L4') }}\n{% endblock %}\n",
    "extends-plain": "{% extends 'base' %}\n",
    "block": "L1\n{% block inner %}\nL3\n{% endblock %}\n{{ self.inner() | upper | replace('L3', 'L5') }}\n",
    "block-scoped": "{% for i in [1] %}\n{% block inner scoped %}\nL3 {{ i }}\n{% endblock %}\n"
    "{% endfor %}L5\n",
    "form-feed": "L1\n# \x0c\x0b\x1c\u2028\nL3: {{ '\u2028' }}\n{{ 'L4' }}: L4\n",
    "unicode": "{# \u00e4\u20ac\U0001f600 #}L1 \u00e4\n\u20ac L2 {{ '\u00e4' }} L2\n",
    "no-last-newline": "L1\nL2",
    "blank-lines-first": "\n\n\nL4\n{{ 'L5' }}",
    "nested-conditions": "{% if true %}{% if true %}\nL2\n{% endif %}\nL4{% endif %}\n{% if false %}\n"
    "x\n{% elif true %}\nL8\n{% endif %}\n",
    "conditional-expression": "L1\n{{ 'L2' if true else '' }}\n{{ 'x' if false }}L3\n",
    "filters": "L1\n{{ 'l2' | upper }}\n{{ ['L3', 'L3'] | join(' ') }}\n",
    "empty-output": "{{ '' }}\nL2{{ '' }}\n{{ '' }}L3\n",
    "separate-tags": "L1 {% if true %}L1{% endif %} {% set a = 1 %}L1\nL2 {% for i in [1] %}L2{% endfor %}\n",
}
"""Each under the options that most templates are rendered with: none."""

BLOCKS = (
    "L1\n  {% if true %}\n  L3\n  {% set a = 1 %}\n  {% for i in [1, 2] %}\n  L6\n  {% endfor %}\n"
    "  {% endif %}\nL9\n{# a comment\n over lines #}\nL12 {% if true %}\nL13{% endif %}\n\nL15\n"
    "{% raw %}\n{{ L17 }}\n{% endraw %}\n{% include 'part' %}\nL20\n{% macro m(x) %}\n{{ x }}\n"
    "{% endmacro %}\n{{ m('L24') }}\nL25\n"
)
"""Tags on lines of their own, with blanks before and nothing behind."""

OPTIONS = [
    pytest.param({}, id="none"),
    pytest.param({"jinja_trim_blocks": True}, id="trim"),
    pytest.param({"jinja_lstrip_blocks": True}, id="lstrip"),
    pytest.param({"jinja_trim_blocks": True, "jinja_lstrip_blocks": True}, id="trim-lstrip"),
    pytest.param({"jinja_sls_env": {"keep_trailing_newline": True}}, id="keep-newline"),
]

PIPES: dict[str, str] = {
    "header": '#jinja2: {"trim_blocks": true}\nL2: 1\n{% if true %}\nL4: {{ 1 }}\n{% endif %}\n'
    "{{ 'L6' }}: 1\n",
    "header-then-include": '#jinja2: {"lstrip_blocks": true}\n  {% include "part" %}\nL3: 1\n',
    "shebang-and-header": '#!jinja|yaml\n#jinja2: {"trim_blocks": true}\nL3: 1\n{% if true %}\n'
    "L5: 1\n{% endif %}\n",
    "shebang": "#!jinja|yaml\nL2: 1\n{{ 'L3' }}: 1\n",
    "twice": "#!jinja|jinja|yaml\nL2: 1\n{% if true %}\nL4: 1\n{% endif %}\nL6: 1\n"
    "{% raw %}{% set a = 1 %}\n{% for i in [1] %}\nL9: {{ i }}\n{% endfor %}{% endraw %}\nL11: 1\n",
    "twice-shifted": "#!jinja|jinja|yaml\n{% for i in [1, 2, 3] %}\n# {{ i }}\n{% endfor %}\nL5: 1\n"
    "{#\n\n#}{% raw %}{% if true %}\n\nL10: {{ 'L10' }}\n{% endif %}{% endraw %}\nL12: 1\n",
    "crlf": "L1: 1\r\n{% if true %}\r\nL3: {{ 1 }}\r\n{% endif %}\r\n\r\n{{ 'L6' }}: 1\r\n",
    "cr": "L1: 1\r{% if true %}\rL3: 1\r{% endif %}\r",
    "yaml-only": "#!yaml\nL2: 1\nL3: [L3, {L3: L3}]\n",
    "line-separator": "#!yaml\nL2: \u2028  x\nL3: 1\n# \u2029\nL5: 1\n# \x85\nL7: 1\n",
    "line-separator-jinja": "L1: 1\n# \u2028\n{{ 'L3' }}: 1\nL4: {{ '\u2028' }} x\nL5: 1\n",
    "block-scalar": "L1: |\n  x\n  y {{ 1 }}\nL4: >-\n\n  {{ 1 }}\n  {{ 2 }}\nL8: 1\n",
    "multi-line-plain": "L1: a\n  b\n  c\nL4: 'q\n\n  r'\nL7: 1\n",
    "expression-over-lines": "L1: {{ {\n  'a': 1,\n  'b': 2\n} | json }}\nL5: 1\nL6: {{ 'L6' if\n  true }}\n"
    "L8: {{ 1 +\n\n 1 }}\nL11: 1\n",
    "printed-lines": "L1: 1\n{{ 'L2: 1\\nL2b: 2' }}\nL3: 1\n{{ '\\n\\n' }}\nL5: 1\n",
    "indented-block": "L1:\n  {{ {'L2': 1} | yaml(False) | indent(2) }}\nL3:\n  - {{ 'L4' }}\n  - L5\n",
    "tagged": "L1: !!str 1\nL2: !!set {L2}\nL3: &L3 [L3]\nL4: *L3\n",
    "yamlex": "#!jinja|yamlex\nL2: 1\n{% if true %}\nL4: {a: L4}\n{% endif %}\nL6: [L6, L6]\n",
    "json": '#!jinja|json\n{\n{% if true %}\n"L4": 1,\n{% endif %}\n"L6": ["L6",\n"L7"],\n'
    '"L8": {"L8": {}}}\n',
    "bom": "\ufeffL1: 1\nL2: {{ 1 }}\n{{ 'L3' }}: 1\n",
}
"""Whole files with the lines on which their keys stand; values name the line of their own."""


def context_of(options: Mapping[str, Any] | None = None) -> RenderContext:
    def find(path: str, _environment: str) -> FoundFile | None:
        text = FILES.get(path)
        return None if text is None else FoundFile(path, path, f"/{path}", text.encode(), path)

    view = TemplateView({}, {}, {}, {}, Environments(), find)
    return RenderContext(
        shown="own",
        path="/own.sls",
        sls="own",
        saltenv="base",
        options={"renderer": "jinja|yaml", **(options or {})},
        limits=Limits(),
        decryptor=SealedDecryptor(),
        template=view,
    )


def check_marks(text: SourceText) -> int:
    """Check that each mark in a text comes from where it says; return how many there are."""
    marks = list(EXPECTED.finditer(text.text))
    for mark in marks:
        expected = mark[1] or "own", int(mark[2])
        assert text.locate(mark.start()) == expected
        assert text.locate(mark.end() - 1) == expected
    return len(marks)


@pytest.mark.sample(100)
@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES)
@pytest.mark.parametrize("options", OPTIONS)
def test_output_comes_from_its_line(template: str, options: Mapping[str, Any]) -> None:
    rendered = render_jinja(context_of(options), SourceText.of_file(template, "own"), "")
    assert check_marks(rendered)


@pytest.mark.parametrize("options", OPTIONS)
def test_tags_on_their_own_lines(options: Mapping[str, Any]) -> None:
    rendered = render_jinja(context_of(options), SourceText.of_file(BLOCKS, "own"), "")
    assert check_marks(rendered) == 14


@pytest.mark.parametrize("file", PIPES.values(), ids=PIPES)
def test_leaves_come_from_their_lines(file: str) -> None:
    tree, _ = run_pipe(file.encode(), context_of(), builtin_renderers())
    found = list(leaves(tree))
    assert found
    for path, node, origins in found:
        assert (origins[-1].file, origins[-1].line) == expected_place(path, node)


def expected_place(path: tuple[Any, ...], node: Node) -> tuple[str, int]:
    """Return what the value says, else the innermost key that says anything."""
    for word in (getattr(node, "value", None), *reversed(path)):
        mark = EXPECTED.search(str(word))
        if mark:
            return mark[1] or "own", int(mark[2])
    raise AssertionError(path)


def test_output_is_limited_while_it_streams() -> None:
    template = "{% for i in range(9) %}\n{{ 'x' * 100 }}\n{% endfor %}\n"
    context = context_of()
    small = RenderContext(**{**_fields(context), "limits": Limits(output=250)})
    with pytest.raises(LimitExceeded) as failure:
        render_jinja(small, SourceText.of_file(template, "own"), "")
    assert failure.value.place == ("own", 2)


def _fields(context: RenderContext) -> dict[str, Any]:
    return {name: getattr(context, name) for name in context.__slots__}
