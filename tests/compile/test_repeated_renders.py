"""Renders repeated with other values: how often, and that they are what a render gives."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import answer_of, open_fleet, write_fleet
from tests.support.repeated_renders import counted

from pillarbook.compile import replay_renders
from pillarbook.compile.renderers.jinja.evaluations import CompiledExpression

IDS = {
    f"web{number}": {
        "name": f"web{number}",
        "n": number,
        "l": [f"x{number}", "y"],
        "same": "cd",
        "m": {"k": 1},
        "d": {"k": number},
    }
    for number in range(5)
}
REPEATED = {
    "key": "a: {{ grains['name'] }}\n",
    "attribute": "a: {{ grains.name }}\n",
    "get": "a: {{ grains.get('name') }}\n",
    "default": "a: {{ grains.get('name', 'x') }}\nb: {{ grains.get('none', 'x') }}\n",
    "options": "a: {{ opts['id'] }}\n",
    "number": "a: {{ grains.n }}\n",
    "key-of-yaml": "{{ grains.name }}: 1\nb: {'x {{ grains.name }}': [1], c: {{ grains.n }}}\n",
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
    "set-of-part": "{% set g = grains.d %}\na: {{ g.k }}\n",
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
DECIDED = {
    "tested": "{% if grains.name == 'web1' %}\nb: 1\n{% endif %}\na: {{ grains.name }}\n",
    "tested-only": "{% if grains.name == 'web1' or grains.n > 3 %}\nb: 1\n{% endif %}\n",
    "true": "{% if grains.name %}\nb: 1\n{% endif %}\na: {{ grains.get('n') | int > 2 }}\n",
    "one-of-three": "{% if grains.n < 1 %}\nb: 1\n{% elif grains['n'] < 2 %}\nb: 2\n{% else %}\nb: 3\n{% endif %}\n",
    "set-and-tested": "{% set x = grains.name %}{% if x == 'web1' %}\nb: 1\n{% endif %}\na: {{ x }}\n",
    "set-of-part": "{% set g = grains.d %}{% if g.k > 2 %}\nb: 1\n{% endif %}\na: {{ g.k }}\n",
    "set-and-looked-up": "{% set x = grains.name[:3] %}{% set m = {'web': 80} %}\na: {{ m[x] }}\n",
    "set-and-split": "{% set x = grains.name %}{% for p in x[:3].split('e') %}\na{{ p }}: {{ x }}\n{% endfor %}\n",
    "set-and-listed": "{% set x = grains.same %}{% for k in x or [] %}\n{{ k }}: {{ grains.name }}\n{% endfor %}\n",
    "set-mapping": "{% set x = grains.m %}{% for k, v in x.items() %}\n{{ k }}: {{ v }}{{ grains.name }}\n{% endfor %}\n",
    "set-and-passed": "{% set x = grains.name[:3] %}\na: {{ salt['test.echo'](x) }}\n",
    "looked-up": "{% set m = {'we': 80} %}\na: {{ m[grains.name[:2]] }}{{ m.get(grains.name[4:], 1) }}\n",
    "in-a-macro": "{% macro m(x) %}{{ 1 if grains.n > x else pillar.get('n', 2) }}{% endmacro %}\na: {{ m(2) }}\n",
    "in-a-loop": "{% for x in [1, 3] %}{% if grains.n > x %}\na{{ x }}: {{ grains.name }}\n{% endif %}{% endfor %}\n",
    "of-a-loop": "{% for x in [1, 3, 9] if x > grains.n %}\na{{ x }}: 1\n{% endfor %}\n",
    "parts": "{% for x in grains.name[:3].split('e') %}\na{{ x }}: 1\n{% endfor %}\n",
    "included": "{% include grains.name[4:] ~ 'part.txt' %}\na: {{ grains.name }}\n",
    "mapping": "{% set x = salt['grains.get']('none', {}) %}{% for k in x %}{% endfor %}\na: {{ grains.name }}\n",
    "missing": "{% if grains.nothing is defined %}\nb: 1\n{% endif %}\na: {{ grains.name }}\n",
}
"""Files with expressions on whose value the rest depends."""
RENDERED = {
    "macro": "{% macro m() %}{{ grains.name }}{% endmacro %}\na: {{ m() }}\n",
    "captured": "{% set x %}{{ grains.name }}{% endset %}\na: {{ x }}{{ grains.name }}\n",
    "shadowed": "{% set grains = {'name': grains.name} %}\na: {{ grains.name }}\n",
    "loop-variable": "{% for grains in [{'name': grains.name}] %}\na: {{ grains.name }}\n{% endfor %}\n",
    "in-an-anchor": "x: &x {k: {{ grains.name }}}\ny: *x\n",
    "other-function": "a: {{ salt['test.echo'](grains.name) }}\n",
    "set-and-imported": "{% set x = grains.name %}{% import 'names.jinja' as m with context %}\n"
    "a: {{ m.seen }}{{ x }}\n",
    "set-and-included": "{% set x = grains.name %}\na: {{ x }}\n{% include 'sees.txt' %}\n",
    "set-in-a-macro": "{% set x = grains.name %}{% macro m() %}{{ x }}{% endmacro %}\na: {{ m() }}\n",
    "set-and-looped": "{% set x = grains.l %}{% for k in x or [] %}\n{{ k }}: 1\n{% endfor %}\n",
    "set-of-set-and-looped": "{% set x = grains.l %}{% set y = x or [] %}{% for k in y or [1] %}\n{{ k }}: 1\n"
    "{% endfor %}\n",
    "set-and-changed": "{% set x = grains.same | list %}{% do (x or [1]).append(1) %}\n"
    "a: {{ x | length }}{{ grains.name }}\n",
    "set-and-changed-in-a-tuple": "{% set x = (grains.same | list, 1) %}{% for k in x[:1] %}{% do k.append(1) %}"
    "{% endfor %}\na: {{ x[0] | length }}{{ grains.name }}\n",
    "set-and-used-up": "{% set x = grains.l | reverse %}{% for k in x or [] %}\n{{ k }}: 1\n{% endfor %}\n"
    "a: {{ x | list | length }}{{ grains.name }}\n",
    "set-and-tested-often": "{% set x = grains.n %}{% for i in range(-100, 5) %}{% if i == x %}\na: {{ i }}\n"
    "{% endif %}{% endfor %}\n",
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
    "long-integer": "{% set i = ('9' * 4000) | int %}{% set i = i * i %}{% if "
    "grains.odd < i %}\na: 1\n{% endif %}\n",
    "merge-tag": "a: {{ grains.first }}\n!!merge x: {b: {{ grains.same }}}\n",
    "merge-tag-of-lists": "a: {{ grains.first | lower }}\n!!merge x: [{b: {{ grains.same }}}]\n",
}


@pytest.fixture(autouse=True, scope="module")
def evaluates_at_once() -> Iterator[None]:
    """Evaluate conditions from the second minion on, so that small fleets show it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replay_renders, "MIN_RENDERS", 0)
        yield


@pytest.mark.parametrize("own", REPEATED.values(), ids=REPEATED)
def test_what_is_printed_only_is_rendered_once(own: str, tmp_path: Path) -> None:
    with counted(tmp_path, own, IDS) as count:
        assert count["own.sls"] == 1


@pytest.mark.parametrize(("own", "rule"), FOUND.values(), ids=FOUND)
def test_a_file_with_a_finding_is_rendered_once(own: str, rule: str, tmp_path: Path) -> None:
    with counted(tmp_path, own, IDS, rule) as count:
        assert count["own.sls"] == 1


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


@pytest.mark.parametrize("own", DECIDED.values(), ids=DECIDED)
def test_what_decides_alike_is_rendered_once(own: str, tmp_path: Path) -> None:
    with counted(tmp_path, own, IDS) as count:
        assert 1 <= count["own.sls"] <= 3


def test_conditions_are_evaluated_in_files_that_are_rendered_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_renders, "MIN_RENDERS", 10)
    grains = {f"m{n}": {"name": f"{'web' if n % 4 else 'db'}{n}", "os": n % 3} for n in range(30)}
    own = "{% if grains.name.startswith('web') %}\nb: 1\n{% endif %}\na: {{ grains.name }}\n"
    with counted(tmp_path, own, grains) as count:
        assert count["own.sls"] == 10
    own = "{% if grains.os == 2 %}\nb: 1\n{% endif %}\na: {{ grains.name }}\n"
    with counted(tmp_path, own, grains) as count:
        assert count["own.sls"] == 3


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


def test_minions_that_decide_alike_for_other_reasons_are_of_other_kinds(tmp_path: Path) -> None:
    """With another file, they may decide otherwise, so a trial for one says nothing of the other."""
    own = "{% set x = grains.n %}{% if x > 2 %}\nb: 1\n{% endif %}\na: {{ grains.name }}\n"
    minions = {f"web{n}": {"grains": {"name": f"web{n}", "n": n // 2}} for n in range(10)}
    files = {"top.sls": "base: {'*': [own]}\n", "own.sls": own}
    with open_fleet(write_fleet(tmp_path, files, minions)) as fleet:
        compiled = fleet.compile_all()
    kinds = [
        next(one.kind for one in pillar.renders if one.sls == "own") for pillar in compiled.values()
    ]
    assert len(set(kinds)) == 5
    assert kinds[::2] == kinds[1::2]
