"""Changed lines that have no effect, and why; those of which nobody knows are named apart."""

from pathlib import Path

import pytest
from tests.support.compared_trees import BASE, compare

from pillarbook.report.diff_wording import head_line


def test_hunks_without_effect(tmp_path: Path) -> None:
    after: dict[str, str | None] = {
        "p/all.sls": "# c\na: 1\nb: 2\n",
        "p/stray.sls": "s: 1\n",
        "p/web.sls": "w: 1\nx: {y: 1}\na: 7\n",
        "p/zweb.sls": "a: 1\n",
        "p/top.sls": BASE["p/top.sls"] + "    - zweb\n",
    }
    diff = compare(tmp_path, {}, after)
    assert not diff.atoms
    told = {f"{one.line.file}:{one.line.line}": one.why for one in diff.idle}
    assert told["p/all.sls:1"] == "only comments and empty lines"
    assert told["p/stray.sls:1"] == "no minion reads it"
    assert "minions.yml:1" not in told


def test_a_new_report_in_the_tree_is_no_change(tmp_path: Path) -> None:
    site = {f"p/site/{name}": "x\n" for name in (".pillarbook-site", "a.html", "assets/a.js")}
    diff = compare(tmp_path, {}, {**site, "p/sites.sls": "s: 1\n"})
    assert [str(one.line.file) for one in diff.idle] == ["p/sites.sls"]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        pytest.param(
            {"p/top.sls": "base: {'web*': [web]}\n", "p/web.sls": "include: [w]\nx: 1\n"}
            | {"p/w.sls": "w: 1\n"},
            {"p/top.sls": "base: {'web*': [www]}\n", "p/web.sls": None, "p/w.sls": None}
            | {"p/www.sls": "include: [v]\nx: 1\n", "p/v.sls": "w: 1\n"},
            {
                "p/web.sls:1-": "`x` comes from `p/www.sls:2` now",
                "p/w.sls:1-": "the file has moved",
            },
            id="renamed, with what it refers to",
        ),
        pytest.param(
            {"p/top.sls": "base: {'web*': [web]}\n", "p/web.sls": "include: [all]\n"},
            {"p/top.sls": "base: {'web*': [all]}\n", "p/web.sls": None},
            {"p/web.sls:1-": "minions read it in the base, but it causes no change"},
            id="nothing of its own",
        ),
        pytest.param(
            {"p/web.sls": "w: 1\na: 7\n", "p/top.sls": "base: {'web*': [all, web, z]}\n"}
            | {"p/z.sls": "a: 8\n"},
            {"p/web.sls": "w: 1\n"},
            {"p/web.sls:2-": "`a` was overridden in `p/z.sls:1`"},
            id="overridden",
        ),
        pytest.param(
            {"p/stray.sls": "s: 1\n"},
            {"p/stray.sls": None},
            {"p/stray.sls:1-": "no minion reads it"},
            id="never read",
        ),
        pytest.param(
            {},
            {"p/all.sls": "a: 1 # c\nb:  2\n"},
            {"p/all.sls:1": "only comments and spaces"},
            id="a comment behind a value",
        ),
        pytest.param(
            {"p/all.sls": "a: |\n  t\n", "p/web.sls": "a: 1\n"},
            {"p/all.sls": "a: |\n  t # no comment\n", "minions.yml": "minions: {web1: {}}\n"},
            {"p/all.sls:2": "minions read it, but their pillars stay the same"},
            id="no comment but a text",
        ),
        pytest.param(
            {},
            {"p/top.sls": f"{BASE['p/top.sls']}    - all\n"},
            {"p/top.sls:6": "minions read it, but their pillars stay the same"},
            id="an SLS that its minions have",
        ),
        pytest.param(
            {},
            {"p/top.sls": f"{BASE['p/top.sls']}  'wbe*': [web]\n"},
            {"p/top.sls:6": "the target `wbe*` matches no minion"},
            id="a target with a mistake",
        ),
        pytest.param(
            {"p/top.sls": f"{BASE['p/top.sls']}  'wbe*':\n  - web\n"},
            {"p/top.sls": f"{BASE['p/top.sls']}  'wbe*':\n  - web\n  - all\n"},
            {"p/top.sls:8": "the target `wbe*` matches no minion"},
            id="an SLS for nobody",
        ),
        pytest.param(
            {"p/lib.jinja": "{% set a = 1 %}\n", "p/web.sls": "w: 1\na: 7\n"}
            | {"p/all.sls": "{% from 'lib.jinja' import a %}\na: {{ a }}\n"}
            | {"p/top.sls": "base: {'web*': [all, web]}\n"},
            {"p/lib.jinja": "{% set a = 2 %}\n"},
            {"p/lib.jinja:1": "minions read it, but their pillars stay the same"},
            id="a variable of a value that is overridden",
        ),
        pytest.param(
            {},
            {"master": "pillar_roots: {base: [p, q]}\n"},
            {"master:1": "it changes no pillar"},
            id="another root",
        ),
        pytest.param(
            {"p/web.sls": "include: [more]\nw: 1\n", "p/more.sls": "m: 1\n"},
            {"p/web.sls": "include: [more]\nw: {{ grains.nope }}\nv: 2\n", "p/more.sls": "m: 2\n"},
            {"p/more.sls:1": "its minions newly fail"},
            id="hidden by a new failure",
        ),
        pytest.param(
            {"p/web.sls": "w: 1\nx: 1\ny: 1\n"},
            {"p/web.sls": "w: {{ grains.nope }}\nx: 1\ny: 2\n"},
            {"p/web.sls:3": "its minions newly fail"},
            id="hidden in the file that fails",
        ),
        pytest.param(
            {},
            {
                "p/all.sls": "{% if grains.role == 'x' %}\na: 2\n"
                "{% else %}\na: 1\n{% endif %}\nb: 2\n"
            },
            {
                "p/all.sls:1": "minions read it, but their pillars stay the same",
                "p/all.sls:5": "minions read it, but their pillars stay the same",
            },
            id="a branch that no minion takes, in two pieces",
        ),
    ],
)
def test_why_lines_have_no_effect(
    before: dict[str, str], after: dict[str, str | None], told: dict[str, str], tmp_path: Path
) -> None:
    diff = compare(tmp_path, before, after)
    found = {
        f"{one.line.file}:{one.line.line}{'-' if one.line.side == 'base' else ''}": one.why
        for one in diff.idle
    }
    assert found.items() >= told.items()


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        pytest.param(
            {"p/web.sls": "a: {{ salt['http.query']('http://x.example') }}\n"},
            {"p/all.sls": "a: {z: 1}\n"},
            ["p/all.sls:1"],
            id="merged with an unknown value",
        ),
        pytest.param(
            {"p/web.sls": "{% if salt['http.query']('http://x.example') %}\nw: 1\n{% endif %}\n"},
            {"p/web.sls": "{% if salt['http.query']('http://x.example') %}\nw: 2\n{% endif %}\n"},
            ["p/web.sls:2"],
            id="below an unknown condition",
        ),
        pytest.param(
            {
                "p/all.sls": "{% from 'lib.jinja' import y %}\na: {y: {{ y }}}\n",
                "p/lib.jinja": "{% set y = 1 %}\n",
                "p/web.sls": "a: {{ salt['http.query']('http://x.example') }}\n",
            },
            {"p/lib.jinja": "{% set y = 2 %}\n"},
            ["p/lib.jinja:1"],
            id="in a file that the template reads",
        ),
        pytest.param(
            {"p/web.sls": "w: {{ salt['http.query']('http://x.example') }}\n"},
            {
                "p/web.sls": "# c\nw: {{ salt['http.query']('http://x.example') }}\n",
                "p/stray.sls": "w: 1\n",
            },
            [],
            id="only a comment, and a file that nobody reads",
        ),
    ],
)
def test_lines_that_an_unknown_value_hides_are_named(
    before: dict[str, str], after: dict[str, str | None], told: list[str], tmp_path: Path
) -> None:
    """They are not said to have no effect, because nobody knows."""
    base = {"minions.yml": "minions:\n  web1: {grains: {role: web}}\n", "p/all.sls": "a: {y: 1}\n"}
    diff = compare(tmp_path, base | before, after)
    words = "changed lines that may change unknown values, which are not compared: "
    assert list(diff.not_compared) == [words + one for one in told]
    assert not {f"{one.line.file}:{one.line.line}" for one in diff.idle} & set(told)
    known = " known" if told else ""
    assert head_line(diff, ()) == f"Pillar: no{known} change on 1 minion"
