"""Renders repeated with other values: how often, and that they are what a render gives."""

import datetime as dt
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.fleets import Fleet, answer_of, describe, open_fleet, write_fleet

from pillarbook.compile.renderers.jinja.evaluations import CompiledExpression
from pillarbook.inventory.declared_clock import Clock

CLOCK = Clock(dt.datetime(2026, 1, 31), "clock")  # noqa: DTZ001 (in UTC)
IDS = {
    f"web{number}": {"name": f"web{number}", "n": number, "l": [f"x{number}", "y"], "same": "cd"}
    for number in range(5)
}
REPEATED = {
    "key": "a: {{ grains['name'] }}\n",
    "attribute": "a: {{ grains.name }}\n",
    "get": "a: {{ grains.get('name') }}\n",
    "default": "a: {{ grains.get('name', 'x') }}\nb: {{ grains.get('none', 'x') }}\n",
    "options": "a: {{ opts['id'] }}\n",
    "number": "a: {{ grains.n }}\n",
    "quoted": "a: 'x {{ grains.name }}'\n",
    "twice": "a: {{ grains.name }}\nb: {{ grains.name }}-{{ grains.n }}\n",
    "of-a-list": "a: {{ grains['l'][0] }}\n",
    "in-a-loop": "{% for k in ['a', 'b'] %}\n{{ k }}: {{ grains.name }}\n{% endfor %}\n",
    "in-a-branch": "{% if grains.get('os') %}\na: 1\n{% else %}\na: {{ grains.name }}\n{% endif %}\n",
    "with-an-import": "{% import_yaml 'data.yaml' as d %}\na: {{ grains.name }}\nb: {{ d.b }}\n",
    "beside-an-include": "{% include 'data.yaml' %}\na: {{ grains.name }}\n",
    "in-an-include": "{% include 'part.txt' %}\na: {{ grains.name }}\n",
    "filtered": "a: {{ grains.name | upper }}\n",
    "computed": "a: {{ grains.n + 1 }}\n",
    "the-same-again": "{% for k in [1, true, 1.0, '1'] %}\na{{ loop.index }}: {{ grains.name ~ k }}"
    "x{{ grains.name ~ k }}\n{% endfor %}\nb: {{ grains.name ~ 1 }}{{ grains.name ~ true }}\n",
    "counted": "{% for k in ['a', 'b'] %}\n{{ k }}: {{ grains.n + loop.index }}x{{ grains.name ~ loop.first }}"
    "{{ (grains.name ~ loop.index0) | upper }}\n{% endfor %}\n",
    "counted-outside": "a: {{ grains.name ~ loop.index }}\n",
    "joined": "a: {{ grains.name ~ '-' ~ grains.n }}\n",
    "method": "a: {{ grains['name'].split('e')[0] }}-{{ grains.n }}\n",
    "chosen": "a: {{ grains.name if grains.n > 1 else grains.name ~ 'x' }}\n",
    "missing": "a: {{ grains.nothing | default(grains.name) }}\n",
    "function": "a: {{ salt['grains.get']('name') }}{{ salt.grains.get('l:0') }}\n",
    "tested-by-itself": "a: {{ 'web1' in grains.name }}{{ grains.nope is defined }}x\n",
    "set": "{% set x = grains.name %}\na: {{ x }}\n",
    "set-of-set": "{% set x = grains.name %}{% set y = x.split('e')[1] %}\na: {{ y }}{{ x }}\n",
    "set-of-all": "{% set g = grains %}\na: {{ g.name }}{{ g['n'] }}\n",
    "with-a-loop": "{% for k in grains.same %}\n{{ k }}: {{ grains.name ~ k }}\n{% endfor %}\n",
    "with-an-imported": "{% from 'names.jinja' import own %}{% set o = own.name %}\n"
    "a: {{ o ~ grains.name }}\n",
    "imported-name": "{% set n = grains.name %}{% from 'names.jinja' import own as grains %}\n"
    "a: {{ grains.name }}{{ n }}\n",
    "beside-anchors": "x: &x {k: 1}\ny: {<<: *x, l: [2]}\nz: *x\na: {b: {{ grains.name }}}\n",
    "all": "a: {{ grains.name }}\nb: {{ grains | length }}{{ grains | string | length }}\n",
}
FOUND = {
    "sexagesimal": ("at: 12:30\na: {{ grains.name }}\n", "doubtful-yaml"),
    "anchor": ("{# {{ grains.name }} #}\nz: &x\na: {{ grains.n }}\n", "doubtful-yaml"),
    "late-shebang": ("# x\n#!yaml\na: {{ grains.name }}\n", "doubtful-yaml"),
    "clock": ("b: {{ None | strftime('%Y') }}\na: {{ grains.name }}\n", "reads-clock"),
    "renderer": (
        "{% do salt['slsutil.renderer'](string='a', default_renderer='x') %}\na: {{ grains.name }}\n",
        "unknown-renderer",
    ),
    "mine": ("{% do salt['mine.get']('*', 'x') %}\na: {{ grains.name }}\n", "mine-in-pillar"),
}
"""Files with a finding for each minion."""
COMING = {
    "number-in-a-comment": "a: {{ grains.a }} # at: 12:30\n",
    "number-or-null": "a: {{ grains.a }} # x: &a\n",
    "folded": "a: 12:30\n  {{ grains.a }}\nb: {{ grains.b }}\n",
    "dash": "a:\n  -{{ grains.a }}\n",
    "no-break": "\u00a0b: {{ grains.a }}\nc: 1\n",
    "in-two-places": "a: {{ grains.a }} # at: 12:30\nb: {{ grains.a }} # x: &b\nc: 1:30\n",
}
"""Files with a finding that depends on the printed text."""
WATCHED = {
    "formatted": "a: {{ '%s of %d' % (grains.name, grains.n) }}{{ '{}'.format(grains.n) }}\n",
    "pattern": "a: {{ grains.name | regex_replace('[0-9]', 'x') }}{{ grains.n }}\n",
    "repeated": "a: {{ grains.name * 2 }}\n",
    "set": "{% set x = grains.name.center(9) %}\na: {{ x | trim }}\n",
}
RENDERED = {
    "tested": "{% if grains.name == 'web1' %}\nb: 1\n{% endif %}\na: {{ grains.name }}\n",
    "macro": "{% macro m() %}{{ grains.name }}{% endmacro %}\na: {{ m() }}\n",
    "captured": "{% set x %}{{ grains.name }}{% endset %}\na: {{ x }}{{ grains.name }}\n",
    "shadowed": "{% set grains = {'name': grains.name} %}\na: {{ grains.name }}\n",
    "loop-variable": "{% for grains in [{'name': grains.name}] %}\na: {{ grains.name }}\n{% endfor %}\n",
    "in-an-anchor": "x: &x {k: {{ grains.name }}}\ny: *x\n",
    "key-of-yaml": "{{ grains.name }}: 1\n",
    "other-function": "a: {{ salt['test.echo'](grains.name) }}\n",
    "set-and-tested": "{% set x = grains.name %}{% if x == 'web1' %}\nb: 1\n{% endif %}\na: {{ x }}\n",
    "set-and-imported": "{% set x = grains.name %}{% import 'names.jinja' as m with context %}\n"
    "a: {{ m.seen }}{{ x }}\n",
    "set-and-included": "{% set x = grains.name %}\na: {{ x }}\n{% include 'sees.txt' %}\n",
    "set-in-a-macro": "{% set x = grains.name %}{% macro m() %}{{ x }}{% endmacro %}\na: {{ m() }}\n",
    "set-twice": "{% set x = grains.name %}{% set x = x ~ grains.n %}\na: {{ x }}\n",
    "changed-list": "{% set x = grains.l | list %}{% do x.append(1) %}\na: {{ x | join('-') }}\n",
    "shadowed-loop": "{% set loop = {'index': grains.n} %}\na: {{ grains.n + loop.index }}\n",
    "loop-that-looks-ahead": "{% for k in [1, 2] %}\na{{ k }}: {{ grains.name ~ loop.last }}\n{% endfor %}\n",
    "made": "a: {{ {'b': grains.name}.b }}\n",
}
ASIDE = {
    "again": "{% if inner is defined %}\nb: {{ grains.name }}\n{% else %}\n"
    "{% include 'again.jinja' %}\n{% endif %}\n",
    "again-extended": "{% if inner is not defined %}{% include 'extends.jinja' %}{% endif %}\n"
    "{% block x %}\nb: {{ grains.name }}\n{% endblock %}\n",
    "another-letter": "{% set \uff47rains = {'name': 'web1'} %}\n"
    "{% if salt['grains.get']('name') == 'web1' %}\nc: 1\n{% endif %}\na: {{ grains.name }}\n",
    "escaped": "{% autoescape true %}\na: {{ grains.mark }}\n{% endautoescape %}\n",
    "escaped-for-some": "{% autoescape grains.odd %}\na: {{ grains.mark }}\n{% endautoescape %}\n",
    "merge-tag": "a: {{ grains.first }}\n!!merge x: {b: {{ grains.same }}}\n",
    "merge-tag-of-lists": "a: {{ grains.first | lower }}\n!!merge x: [{b: {{ grains.same }}}]\n",
}
FILES = {
    "again.jinja": "{% if grains.name == 'web1' %}\nc: 1\n{% endif %}\n{% set inner = 1 %}"
    "{% set grains = {'name': 'web1'} %}{% include 'own.sls' %}",
    "extends.jinja": "{% if grains.name == 'web1' %}\nc: 1\n{% endif %}\n"
    "{% set grains = {'name': 'web1'} %}{% set inner = 1 %}{% extends 'own.sls' %}",
    "top.sls": "base:\n  '*': [own]\n",
    "data.yaml": "b: 1\n",
    "part.txt": "c: {{ grains.name }}",
    "names.jinja": "{% set own = {'name': 'web1'} %}\n{% set seen = x | default('') %}\n",
    "sees.txt": "b: {{ x }}x\n",
    "second.sls": "d: {{ grains.name.split('e')[0] }}\n",
}


def compile_each(fleet: Fleet, grains: Mapping[str, Any]) -> dict[str, Any]:
    timed = Fleet(fleet.minions, replace(fleet.project, clock=CLOCK))
    return {name: describe(one) for name, one in timed.of_minions(grains).compile_all().items()}


@contextmanager
def counted(
    folder: Path, own: str, grains: Mapping[str, Any], rule: str | None = None
) -> Iterator[Counter[str]]:
    """Compile some minions with and without the memo, and count the renders of the former.

    With ``rule``, each minion has a finding of this rule.
    """
    count: Counter[str] = Counter()

    @contextmanager
    def watch(shown: str) -> Iterator[None]:
        count[shown.removeprefix("pillar/")] += 1
        yield

    write_fleet(folder, {**FILES, "own.sls": own}, {"m": {}})
    with open_fleet(folder, memo=False) as fleet:
        expected = compile_each(fleet, grains)
    with open_fleet(folder, watch=watch) as fleet:
        found = compile_each(fleet, grains)
    assert found == expected
    if rule is not None:
        codes = [[one.code for one in described["diagnostics"]] for described in found.values()]
        assert codes == [[rule]] * len(found)
    yield count


@pytest.mark.sample(12)
@pytest.mark.parametrize("own", REPEATED.values(), ids=REPEATED)
def test_what_is_printed_only_is_rendered_once(own: str, tmp_path: Path) -> None:
    with counted(tmp_path, own, IDS) as count:
        assert count["own.sls"] == 1


@pytest.mark.parametrize(("own", "rule"), FOUND.values(), ids=FOUND)
def test_a_file_with_a_finding_is_rendered_once(own: str, rule: str, tmp_path: Path) -> None:
    with counted(tmp_path, own, IDS, rule) as count:
        assert count["own.sls"] == 1


@pytest.mark.sample(8)
@pytest.mark.parametrize("own", COMING.values(), ids=COMING)
@pytest.mark.parametrize("first", ["abc", 5, None])
def test_a_finding_comes_and_goes_with_the_printed_text(
    own: str, first: object, tmp_path: Path
) -> None:
    texts = [first, "def", 6, None, "# c", "ghi", 7, "null", "-x", "\u00a0y", "# d", "1:30", True]
    grains = {f"m{number}": {"a": text, "b": number} for number, text in enumerate(texts)}
    with counted(tmp_path, own, grains):
        pass


def test_equal_expressions_are_evaluated_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated: list[object] = []
    evaluate = CompiledExpression.evaluate

    def count(self: CompiledExpression, variables: dict[str, Any]) -> Any:
        evaluated.append(self.form)
        return evaluate(self, variables)

    monkeypatch.setattr(CompiledExpression, "evaluate", count)
    first, other = "{{ grains.name.split('e')[0] }}", "{{ grains.name.split('e')[1] }}"
    with counted(tmp_path, f"a: {first}\nb: {other}\nc: {first}x{first}\n", IDS):
        assert len(evaluated) == 2 * (len(IDS) - 1)
    evaluated.clear()
    # in two files
    with counted(tmp_path, f"include: [second]\na: {first}\n", IDS) as renders:
        assert renders == {"top.sls": 1, "own.sls": 1, "second.sls": 1}
        assert len(evaluated) == len(IDS) - 1


@pytest.mark.parametrize("own", WATCHED.values(), ids=WATCHED)
def test_what_may_take_long_is_guarded_each_time(own: str, tmp_path: Path) -> None:
    with counted(tmp_path, own, IDS) as count:
        assert count["own.sls"] == len(IDS)


@pytest.mark.sample(8)
@pytest.mark.parametrize("own", RENDERED.values(), ids=RENDERED)
def test_what_is_used_otherwise_is_rendered(own: str, tmp_path: Path) -> None:
    with counted(tmp_path, own, IDS) as count:
        assert count["own.sls"] == len(IDS)


@pytest.mark.parametrize("own", ASIDE.values(), ids=ASIDE)
def test_what_looks_alike_and_is_not_comes_out_as_rendered(own: str, tmp_path: Path) -> None:
    marks = ("a&b", "web1", "x2", "c&d", "a&amp;b")
    grains = {
        f"web{n}": {
            "name": f"web{n}",
            "mark": mark,
            "odd": bool(n % 2),
            "same": "web1",
            "first": f"x{n}" if n else "web1",
        }
        for n, mark in enumerate(marks)
    }
    with counted(tmp_path, own, grains):
        pass


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
)


@st.composite
def files(draw: st.DrawFn) -> str:
    """Draw an SLS file that prints grains here and there."""
    lines: list[str] = []
    for number in range(draw(st.integers(1, 4))):
        line = draw(st.sampled_from(LINES)).replace("%d", str(number))
        line = line.replace("P", draw(st.sampled_from(PRINTS)))
        lines.append(draw(st.sampled_from(BLOCKS)).replace("%%", "%").replace("L", line))
    for name in draw(st.lists(st.sampled_from(SETS), max_size=3)):
        lines.insert(draw(st.integers(0, len(lines))), name)
    return "\n".join(lines) + draw(st.sampled_from(("\n", "")))


GRAINS = st.fixed_dictionaries({"a": VALUES, "b": VALUES, "d": VALUES}, optional={"c": VALUES})


@given(own=files(), fleet=st.lists(GRAINS, min_size=2, max_size=6))
def test_repeated_is_as_rendered(own: str, fleet: list[dict[str, Any]]) -> None:
    grains = {f"m{number}": one for number, one in enumerate(fleet)}
    with tempfile.TemporaryDirectory() as folder, counted(Path(folder), own, grains):
        pass


def test_time_grows_with_the_printed_values(tmp_path: Path) -> None:
    """Eight times as many values take about eight times as long; each with all others, 64 times."""

    def measure(count: int) -> float:
        body = (
            f"{{% for k in range({count}) %}}\nk{{{{ k }}}}: {{{{ grains.n }}}}\n{{% endfor %}}\n"
        )
        minions = {name: {"grains": {"n": own["n"]}} for name, own in IDS.items()}
        files = {"top.sls": "base: {'*': [a]}\n", "a.sls": body}
        with open_fleet(write_fleet(tmp_path / str(count), files, minions)) as fleet:
            begin = time.process_time()
            for name in fleet.minions:
                assert len(answer_of(fleet.compile(name))) == count
            return time.process_time() - begin

    assert measure(4_000) < 24 * measure(500)
