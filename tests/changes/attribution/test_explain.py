"""Which lines a change is due to, in trees where the value's own line is not the answer."""

from pathlib import Path
from unittest.mock import create_autospec

import pytest
from tests.support.compared_trees import BASE, compare

from pillarbook.changes.attribution.find_causes import CauseFinder
from pillarbook.compare.diff import Diff
from pillarbook.model import format_path


def causes(diff: Diff) -> dict[str, list[str]]:
    """Return the lines that each atom cites."""
    return {
        f"{atom.change.kind} {format_path(atom.change.path)}": [
            f"{line.file}:{line.line}{'-' if line.side == 'base' else ''}" for line in atom.because
        ]
        for atom in diff.atoms
    }


CASES = [
    pytest.param(
        {},
        {"p/all.sls": "a: 1\nb: 3\n"},
        {"changed b": ["p/all.sls:2"]},
        id="a value",
    ),
    pytest.param(
        {},
        {"p/all.sls": "a: 1\n"},
        {"removed b": ["p/all.sls:2-"]},
        id="a line that is gone",
    ),
    pytest.param(
        {},
        {"p/top.sls": "base:\n  '*':\n    - all\n  'db*':\n    - web\n"},
        {f"{kind} {key}": ["p/top.sls:4"] for kind in ("added", "removed") for key in ("w", "x")},
        id="a target",
    ),
    pytest.param(
        {},
        {"p/all.sls": "include: [new]\na: 1\nb: 2\n", "p/new.sls": "n: 1\n"},
        {"added n": ["p/all.sls:1"]},
        id="an include and its file",
    ),
    pytest.param(
        {"p/all.sls": "{% from 'lib.jinja' import say %}\na: {{ say(1) }}\nb: 2\n"},
        {"p/lib.jinja": "{% macro say(value) %}{{ value + 1 }}{% endmacro %}\n"},
        {"changed a": ["p/lib.jinja:1"]},
        id="a macro",
    ),
    pytest.param(
        {},
        {"minions.yml": BASE["minions.yml"].replace("role: db", "role: web"), "p/all.sls": None},
        {"removed a": ["p/all.sls:1-"], "removed b": ["p/all.sls:2-"]},
        id="a file less breaks",
    ),
    pytest.param(
        {"p/all.sls": "a: {{ grains['role'] }}\n"},
        {"minions.yml": BASE["minions.yml"].replace("role: db", "role: mail")},
        {"changed a": ["minions.yml:3"]},
        id="a grain",
    ),
    pytest.param(
        {},
        {
            "master": "pillar_roots: {base: [p]}\npillar_merge_lists: true\nx: 1\npillar_opts: false\n"
        },
        {},
        id="an option without effect",
    ),
    pytest.param(
        {"p/all.sls": "l: [1]\n", "p/web.sls": "l: [2]\n"},
        {"master": "pillar_roots: {base: [p]}\npillar_merge_lists: true\n"},
        {"added l:0": ["master:2"]},
        id="an option",
    ),
    pytest.param(
        {},
        {"p/all.sls": "a: 2\nb: 2\n", "p/web.sls": "w: 1\nx: {y: 2}\n"},
        {"changed a": ["p/all.sls:1"], "changed x:y": ["p/web.sls:2"]},
        id="two of their own",
    ),
    pytest.param(
        {
            "p/all.sls": "{% set on = false %}\n{% import 'm.jinja' as m %}\n{% if on and m.on %}\n"
            "a: 1\n{% endif %}\nb: 2\n",
            "p/m.jinja": "{% set on = false %}\n",
        },
        {
            "p/all.sls": "{% set on = true %}\n{% import 'm.jinja' as m %}\n{% if on and m.on %}\n"
            "a: 1\n{% endif %}\nb: 2\n",
            "p/m.jinja": "{% set on = true %}\n",
        },
        {"added a": ["p/all.sls:1", "p/m.jinja:1"]},
        id="neither adds it alone",
    ),
    pytest.param(
        {
            "p/all.sls": "{% set on = true %}\n{% import 'm.jinja' as m %}\n{% if on or m.on %}\n"
            "a: 1\n{% endif %}\nb: 2\n",
            "p/m.jinja": "{% set on = true %}\n",
        },
        {
            "p/all.sls": "{% set on = false %}\n{% import 'm.jinja' as m %}\n{% if on or m.on %}\n"
            "a: 1\n{% endif %}\nb: 2\n",
            "p/m.jinja": "{% set on = false %}\n",
        },
        {"removed a": ["p/all.sls:1", "p/m.jinja:1"]},
        id="either brings it back",
    ),
    pytest.param(
        {
            "p/all.sls": "{% import 'm.jinja' as m %}\na: {{ 1 if 0 or m.on else 2 }}\n",
            "p/m.jinja": "{% set on = 0 %}\n",
        },
        {
            "p/all.sls": "{% import 'm.jinja' as m %}\na: {{ 1 if 1 or m.on else 2 }}\n",
            "p/m.jinja": "{% set on = 1 %}\n",
        },
        {"changed a": ["p/all.sls:2", "p/m.jinja:1"]},
        id="both are needed",
    ),
    pytest.param(
        {
            "p/lib.jinja": "{% set on = 0 %}\n",
            "p/all.sls": "{% import 'lib.jinja' as m %}\na: {{ m.on }}\n"
            "{% if not m.on %}\nb: 2\n{% endif %}\n",
        },
        {
            "p/lib.jinja": "{% set on = 1 %}\n",
            "p/all.sls": "{% import 'lib.jinja' as m %}\na: {{ m.on }}\n"
            "{% if m.on %}\nb: 2\n{% endif %}\n",
        },
        {"changed a": ["p/lib.jinja:1"]},
        id="another line only keeps what the first would remove",
    ),
    pytest.param(
        {"p/all.sls": "a: {{ grains.get('a', 0) }}\nb: {{ grains.get('b', 0) }}\n"},
        {"minions.yml": "minions:\n  web1: {grains: {role: web, a: 1}}\n  db1: {grains: {b: 1}}\n"},
        {"changed a": ["minions.yml:2"], "changed b": ["minions.yml:3"]},
        id="lines of one hunk for two minions",
    ),
    pytest.param(
        {
            "p/m.jinja": "{% set on = 0 %}\n{% set by = 0 %}\n",
            "p/all.sls": "{% import 'm.jinja' as m %}\na: {{ 1 if m.on and m.by else 2 }}\nb: 1\n",
        },
        {"p/m.jinja": "{% set on = 1 %}\n{% set by = 1 %}\n"},
        {"changed a": ["p/m.jinja:1", "p/m.jinja:2"]},
        id="both lines of one hunk are needed",
    ),
    pytest.param(
        {
            "p/m.jinja": "{% set on = 0 %}\n{% set by = 0 %}\n",
            "p/all.sls": "{% import 'm.jinja' as m %}\na: {{ m.by }}\nb: {{ m.on }}\n",
        },
        {"p/m.jinja": "{% set on = 1 %}\n{% set by = 1 %}\n"},
        {"changed a": ["p/m.jinja:2"], "changed b": ["p/m.jinja:1"]},
        id="each line of one hunk for its own",
    ),
    pytest.param(
        {},
        {"p/top.sls": BASE["p/top.sls"].replace("web*", "wbe*"), "p/web.sls": "w: 2\nx: {y: 1}\n"},
        {"removed w": ["p/top.sls:4"], "removed x": ["p/top.sls:4"]},
        id="a lost target hides an edit",
    ),
    pytest.param(
        {
            "p/top.sls": "base: {'*': [all, web]}\n",
            "p/all.sls": "m: {a: 1, b: 2}\n",
            "p/web.sls": "m: {b: 2}\n",
        },
        {"p/all.sls": "m: {c: 3, a: 1, b: 2}\n", "p/web.sls": "m: {b: 2, c: 3}\n"},
        {"added m:c": ["p/web.sls:1", "p/all.sls:1"]},
        id="each sets the value, and one their order",
    ),
    pytest.param(
        {"p/all.sls": "l:\n  - one\n  - two\n"},
        {"p/all.sls": "l:\n  - zero\n  - one\n  - two\n  - three\n"},
        {"added l:0": ["p/all.sls:2"], "added l:3": ["p/all.sls:5"]},
        id="members of a list",
    ),
]


@pytest.mark.sample(8)
@pytest.mark.parametrize(("before", "after", "told"), CASES)
def test_causes(
    before: dict[str, str],
    after: dict[str, str | None],
    told: dict[str, list[str]],
    tmp_path: Path,
) -> None:
    diff = compare(tmp_path, before, after)
    assert causes(diff) == told
    assert all(atom.proven for atom in diff.atoms)


def test_atoms_that_are_bound_together(tmp_path: Path) -> None:
    """A macro under another name, and another value beside the line that calls it."""
    before = {"p/all.sls": "{% from 'lib.jinja' import say %}\na: {{ say(1) }}\nb: 2\n"}
    after: dict[str, str | None] = {
        "p/lib.jinja": "{% macro tell(value) %}{{ value + 1 }}{% endmacro %}\n",
        "p/all.sls": "{% from 'lib.jinja' import tell %}\na: {{ tell(1) }}\nb: 2\n",
    }
    diff = compare(tmp_path, before, after)
    assert causes(diff) == {"changed a": ["p/all.sls:2", "p/lib.jinja:1"]}
    assert diff.atoms[0].proven


@pytest.mark.parametrize("number", [1, 40], ids=["each minion tried", "one of each kind tried"])
def test_one_change_with_two_causes_is_told_apart(number: int, tmp_path: Path) -> None:
    """For no minion a line is cited that matters only for others."""
    web, db = ([f"{role}{one}" for one in range(number)] for role in ("web", "db"))

    def declare(more: str) -> str:
        lines = [f"  {one}: {{grains: {{role: web}}}}\n" for one in web]
        lines += [f"  {one}: {{grains: {{role: db{more}}}}}\n" for one in db]
        return "".join(["minions:\n", *lines])

    before = {"minions.yml": declare(""), "p/all.sls": "a: {{ grains.get('a', 1) }}\nb: 2\n"}
    after: dict[str, str | None] = {
        "minions.yml": declare(", a: 2"),
        "p/all.sls": "a: {{ grains.get('a', 1) }}\nb: 3\n",
        "p/web.sls": "w: 1\nx: {y: 1}\na: 2\n",
    }
    diff = compare(tmp_path, before, after)
    told = {
        (format_path(atom.change.path), atom.minions): [line.file for line in atom.because]
        for atom in diff.atoms
    }
    assert told == {
        ("b", (*web, *db)): ["p/all.sls"],
        ("a", tuple(web)): ["p/web.sls"],
        ("a", tuple(db)): ["minions.yml"],
    }
    assert all(atom.proven for atom in diff.atoms)
    atoms = {atom.id: atom for atom in diff.atoms}
    for minion, result in diff.minions.items():
        assert [minion in atoms[one].minions for one in result.atoms] == [True, True]


BOTH = ["p/all.sls:1", "p/all.sls:4"]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        pytest.param(
            {"p/all.sls": "a: []\nb: 2\n", "p/web.sls": "a: []\nw: 1\n"},
            {"p/all.sls": "b: 2\n", "p/web.sls": "w: 1\n"},
            {"web1": ["p/web.sls:1", "p/all.sls:1"], "db1": ["p/all.sls:1"]},
            id="two files",
        ),
        pytest.param(
            {"p/all.sls": "{% set by = 1 %}\n#\n#\n{% set more = 0 %}\na: {{ A }}\n"},
            {"p/all.sls": "{% set by = 2 %}\n#\n#\n{% set more = 1 %}\na: {{ A }}\n"},
            {"web1": BOTH, "db1": BOTH[:1]},
            id="two hunks of a template",
        ),
        pytest.param(
            {"p/all.sls": "{% set by = 1 %}\n{% set more = 0 %}\na: {{ A }}\n"},
            {"p/all.sls": "{% set by = 2 %}\n{% set more = 1 %}\na: {{ A }}\n"},
            {"web1": ["p/all.sls:1", "p/all.sls:2"], "db1": ["p/all.sls:1"]},
            id="two lines of a hunk",
        ),
    ],
)
def test_a_minion_that_needs_one_more_edit_than_others_cites_it(
    before: dict[str, str],
    after: dict[str, str | None],
    told: dict[str, list[str]],
    tmp_path: Path,
) -> None:
    value = "1 if by == 1 or (grains.role == 'web' and not more) else 2"
    after = {name: text and text.replace("A ", f"{value} ") for name, text in after.items()}
    before = {name: text.replace("A ", f"{value} ") for name, text in before.items()}
    diff = compare(tmp_path, before, after)
    assert {
        minion: [f"{line.file}:{line.line}" for line in atom.because]
        for atom in diff.atoms
        for minion in atom.minions
    } == told


def test_what_is_too_much_to_try_is_not_proven(tmp_path: Path) -> None:
    after: dict[str, str | None] = {
        "p/all.sls": "a: 2\nb: 2\n",
        "p/web.sls": "w: 2\nx: {y: 1}\n",
    }
    diff = compare(tmp_path, {}, after, most=0)
    assert causes(diff) == {"changed a": ["p/all.sls:1"], "changed w": ["p/web.sls:1"]}
    assert not any(atom.proven for atom in diff.atoms)
    assert diff.notes == ("2 of 2 changes not proven: to test every line takes too many compiles",)


def test_what_can_be_tried_is_proven_before_it_is_too_much(tmp_path: Path) -> None:
    lines = [f"k{number}: %s\nsame{number}: 1\n" for number in range(40)]
    before, after = ("".join(line % value for line in lines) for value in (1, 2))
    tree = {"p/web.sls": before}
    diff = compare(tmp_path, tree, {"p/web.sls": after}, most=60)
    proven = {atom.proven for atom in diff.atoms if str(atom.change.path[0]).startswith("k")}
    assert proven == {True, False}


@pytest.mark.slow
def test_many_files_changed_for_minions_that_are_alike(tmp_path: Path) -> None:
    files, minions = 50, 45
    names = [f"s{number}" for number in range(files)]
    before = {f"p/{name}.sls": f"{name}: 1\n" for name in names}
    before["p/top.sls"] = "base:\n  '*': [" + ", ".join(names) + "]\n"
    before["minions.yml"] = "minions:\n" + "".join(f"  m{one}: {{}}\n" for one in range(minions))
    diff = compare(tmp_path, before, {f"p/{name}.sls": f"{name}: 2\n" for name in names})
    assert causes(diff) == {f"changed {name}": [f"p/{name}.sls:1"] for name in names}
    assert all(atom.proven and len(atom.minions) == minions for atom in diff.atoms)


def test_changes_of_one_line_are_judged_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = CauseFinder._find_strangers
    looked = create_autospec(find, side_effect=find)
    monkeypatch.setattr(CauseFinder, "_find_strangers", looked)
    body = "{%% for k in range(50) %%}\nk{{ k }}: %s\n{%% endfor %%}\n"
    diff = compare(tmp_path, {"p/all.sls": body % 1}, {"p/all.sls": body % 2})
    assert len(diff.atoms) == 50
    assert all(atom.proven for atom in diff.atoms)
    assert looked.call_count <= 2
