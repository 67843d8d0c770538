"""A render that is repeated with the values of a minion equals a render for this minion."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.repeated_renders import counted

from pillarbook.compile import replay_renders

TEXTS = (
    *("web1", "a.b-c", "yes", "null", "1", "1e3", "0x1f", "12:30:45", "2024-01-01", "~", "<<", "="),
    *(
        "",
        " x",
        "x ",
        "a: b",
        "- a",
        "# c",
        "x#c",
        "x #c",
        "'q'",
        '"',
        "{a: 1}",
        "[1",
        "a\nb",
        "\t",
    ),
    *("!t v", "&a", "*a", "é", "0o7", "1_000", "{{ x }}", "@x", "%x", "---", "...", "\u2028"),
)
VALUES = st.one_of(
    st.sampled_from(TEXTS),
    st.integers(-3, 300),
    st.booleans(),
    st.none(),
    st.floats(allow_nan=False),
    st.lists(st.sampled_from(["x", "y z", "1", 2]), max_size=3),
    st.dictionaries(st.sampled_from(["k", "l"]), st.sampled_from(["v", 1, ["w"]]), max_size=2),
)
PRINTS = (
    *(
        "{{ grains.a }}",
        "{{ grains['b'] }}",
        "{{ grains.get('a') }}",
        "{{ grains.get('c') }}",
        "{{ grains.get('c', 'z') }}",
    ),
    *(
        "{{ grains.d[0] }}",
        "{{ grains.d['k'] }}",
        "{{ grains.d.k }}",
        "{{ grains.a }}-{{ grains.b }}",
    ),
    *("{{ grains.a|default('z') }}", "{{ opts.grains.a }}", "{{ opts.id }}", "{{ grains.d.l[0] }}"),
    *("{{ grains.a | upper }}", "{{ grains.a.split('.')[0] }}", "{{ grains.a[1:] }}"),
    *("{{ grains.c | default(grains.a) }}", "{{ grains.a if grains.c is defined else grains.b }}"),
    *("{{ grains.a + 1 }}", "{{ grains.a ~ '/' ~ grains.b }}", "{{ grains.items() | length }}"),
    *("{{ salt['grains.get']('d:k', 'z') }}", "{{ salt.grains.get('a') | string | lower }}"),
    *("{{ grains.a | int // 2 }}", "{{ '%s' % grains.b }}", "{{ grains.d | length }}"),
    *(
        "{{ x }}",
        "{{ x ~ y }}",
        "{{ y }}",
        "{{ grains.b ~ z }}",
        "{{ z.k }}",
        "{{ grains.a == 1 }}",
    ),
    *("{{ grains.a | join(',') }}", "{{ grains.c or grains.a }}", "{{ grains.c and 1 }}"),
)
SETS = (
    *("{% set x = grains.a %}", "{% set x = grains.get('c') %}", "{% set x = grains.c %}"),
    *("{% set y = grains.b | string %}", "{% set y = x ~ 'y' %}", "{% set z = grains.d %}"),
    *("{% if grains.b %}{% set x = grains.b %}{% endif %}", "{% set grains = {'a': 'g'} %}"),
    *("{% set password = grains.a ~ 'x' %}", "{% set x, y = grains.a, 1 %}", "{% set x = 1 %}"),
    *("{% macro x() %}{{ y }}{% endmacro %}", "{% for x in [1] %}{{ x }}{% endfor %}"),
    *("{% set y %}{{ grains.a }}{% endset %}", "{% import 'names.jinja' as x with context %}"),
)
BEGINS = (
    "",
    "{% set x = grains.a %}{% set y = grains.b ~ 'y' %}{% set z = grains.d %}",
    "{% set x = grains.a[:2] %}{% set y = 'web1' %}{% set z = grains.d or 1 %}",
)
LINES = (
    "k%d: P",
    "k%d: 'P'",
    'k%d: "x P y"',
    "k%d: [P, x]",
    "P: k%d",
    "k%d: {P: 1}",
    "k%d: |\n  P",
    "k%d: x # P",
    "k%d: &a {l: [1]}\nm%d: *a\nn%d: [P, *a]",
    "k%d: &b {l: P}\nm%d: {<<: *b, o: 1}\nn%d: P",
    "k%d: P # at: 12:30",
    "k%d: [1, P, 2] # x: &a",
    "k%d: 12:30\nm%d:\n  -P",
    "k%d: 12:30\n  P",
)
BLOCKS = (
    *(
        "L",
        "{%% if grains.c is defined %%}\nL\n{%% endif %%}",
        "{%% if grains.a == 'web1' %%}\nL\n{%% endif %%}",
    ),
    "{%% for i in [1, 2] %%}\nL\n{%% endfor %%}",
    "{%% if C %%}\nL\n{%% elif C %%}\ne: 1\n{%% endif %%}",
    "{%% for i in [1, 2] if C %%}\nL\n{%% endfor %%}",
    "{%% macro own(x) %%}{{ 1 if C else x }}{%% endmacro %%}\nL\no%%d: {{ own('z') }}",
    "{%% set made = E %%}{%% set m = {'web1': 1, 1: [2], 'v': 3} %%}\nL\no: {{ m.get(made, 'n') }}",
    "{%% set made = E %%}{%% if made %%}\nL\n{%% endif %%}{%% do salt['test.echo'](made) %%}",
    "{%% for k in E %%}\nf{{ k }}: {{ loop.index }}\n{%% endfor %%}\nL",
    "{%% set q%d = E %%}{%% for k in q%d or [] %%}\nf%d{{ k }}: 1\n{%% endfor %%}\nL",
    "{%% set q%d = E %%}{%% do (q%d or [1]).append(5) %%}\nL\no%d: {{ q%d | string | length }}",
    "{%% set q%d = E %%}{%% set r = q%d ~ '' if C else [] %%}\nL\no%d: {{ r | reverse | list }}",
    "{%% set m = {} %%}{%% do m.update({'a': E}) %%}\nL\no: {{ m.a | string | length }}",
)
CONDITIONS = (
    *("grains.a", "grains.b > 2", "grains.get('c')", "'1' in grains.a", "grains.d.k is defined"),
    *("grains.a == x", "x", "y == 'web1'", "grains.d == z", "grains.a.startswith('w')", "not z"),
    *("grains.c and pillar.get('a')", "grains.b is number", "salt['grains.get']('d:k') == 'v'"),
    *("i is defined and grains.b == i", "grains.a ~ x == 'web1web1'", "opts.id == 'm1'"),
)
EXPRESSIONS = (
    *("grains.l", "grains.l | list", "(grains.l, 1)", "grains.l or 1", "grains.get('l', [])"),
    *("grains.a ~ ''", "grains.d", "grains.d.k", "grains.get('d', {})", "grains.a or grains.b"),
    *(
        "salt['grains.get']('d', [])",
        "x",
        "x ~ y",
        "[grains.a, 1]",
        "(grains.b, 'web1')",
        "z or []",
    ),
    *(
        "grains.a | string",
        "grains.d | list",
        "salt['grains.get']('c', grains.d)",
        "grains.items()",
    ),
)


@st.composite
def files(draw: st.DrawFn) -> str:
    """Draw an SLS file that prints grains here and there."""
    lines: list[str] = []
    for number in range(draw(st.integers(1, 4))):
        line = draw(st.sampled_from(LINES)).replace("%d", str(number))
        line = line.replace("P", draw(st.sampled_from(PRINTS)))
        block = draw(st.sampled_from(BLOCKS)).replace("%%", "%").replace("%d", str(number))
        while "C " in block or "E " in block or "E}" in block:
            block = block.replace("C ", f"{draw(st.sampled_from(CONDITIONS))} ", 1)
            expression = draw(st.sampled_from(EXPRESSIONS))
            block = block.replace("E ", f"{expression} ", 1).replace("E}", f"{expression}}}", 1)
        lines.append(block.replace("L", line))
    begin = draw(st.sampled_from(BEGINS))
    lines.insert(0, begin)
    for name in draw(st.lists(st.sampled_from(SETS), max_size=1 if begin else 3)):
        lines.insert(draw(st.integers(0, len(lines))), name)
    return "\n".join(lines) + draw(st.sampled_from(("\n", "")))


GRAINS = st.fixed_dictionaries({"a": VALUES, "b": VALUES, "d": VALUES}, optional={"c": VALUES})
WORDS = st.sampled_from(("web1", "web2", "db1", "w.x-y", "3"))
LIKE = st.fixed_dictionaries(
    {
        "a": WORDS,
        "b": st.integers(0, 4),
        "d": st.fixed_dictionaries({"k": WORDS, "l": st.just(["w"])}),
        "l": st.lists(WORDS, max_size=2),
    },
    optional={"c": WORDS},
)
"""Grains of minions of few kinds, so that most renders are repeated."""
NEAR = st.lists(LIKE, min_size=2, max_size=2).flatmap(
    lambda two: st.lists(
        st.lists(st.sampled_from(sorted(two[1])), max_size=1).map(
            lambda names: {**two[0], **{name: two[1][name] for name in names}}
        ),
        min_size=4,
        max_size=9,
    )
)
"""Grains of minions of which each differs from the others in one grain at most."""
FLEETS = st.lists(GRAINS, min_size=2, max_size=6) | st.lists(LIKE, min_size=4, max_size=9) | NEAR


@pytest.fixture(autouse=True, scope="module")
def evaluates_at_once() -> Iterator[None]:
    """Evaluate conditions from the second minion on, so that small fleets show it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replay_renders, "MIN_RENDERS", 0)
        yield


@given(own=files(), fleet=FLEETS)
def test_repeated_is_as_rendered(own: str, fleet: list[dict[str, Any]]) -> None:
    grains = {f"m{number}": one for number, one in enumerate(fleet)}
    with tempfile.TemporaryDirectory() as folder, counted(Path(folder), own, grains):
        pass
