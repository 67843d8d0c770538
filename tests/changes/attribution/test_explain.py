"""Which lines a change is due to, in trees where the value's own line is not the answer."""

from pathlib import Path

import pytest
from tests.support.fleets import write_files
from tests.support.repositories import commit_all
from tests.support.sides import open_both, start

from pillarbook.changes.attribution.hunk_trials import MAX_COMPILES
from pillarbook.changes.compare_sides import compare_sides
from pillarbook.compare.diff import Diff
from pillarbook.model import format_path
from pillarbook.report.diff_wording import head_line

BASE = {
    "master": "pillar_roots: {base: [p]}\n",
    "minions.yml": "minions:\n  web1: {grains: {role: web}}\n  db1: {grains: {role: db}}\n",
    "p/top.sls": "base:\n  '*':\n    - all\n  'web*':\n    - web\n",
    "p/all.sls": "a: 1\nb: 2\n",
    "p/web.sls": "w: 1\nx: {y: 1}\n",
    "p/lib.jinja": "{% macro say(value) %}{{ value }}{% endmacro %}\n",
}


def compare(
    folder: Path, before: dict[str, str], after: dict[str, str | None], most: int = MAX_COMPILES
) -> Diff:
    """Compare a tree in a commit with what becomes of it on disk."""
    folder = folder.resolve()
    commit_all(write_files(start(folder), BASE | before))
    for name, text in after.items():
        if text is None:
            (folder / name).unlink()
        else:
            write_files(folder, {name: text})
    with open_both(folder) as sides:
        return compare_sides(sides, trials=most)


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
        {"added a": ["p/all.sls:1"]},
        id="either would do",
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
        {"removed a": ["p/all.sls:1"]},
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


def test_what_is_too_much_to_try_is_not_proven(tmp_path: Path) -> None:
    after: dict[str, str | None] = {
        "p/all.sls": "a: 2\nb: 2\n",
        "p/web.sls": "w: 2\nx: {y: 1}\n",
    }
    diff = compare(tmp_path, {}, after, most=0)
    assert causes(diff) == {"changed a": ["p/all.sls:1"], "changed w": ["p/web.sls:1"]}
    assert not any(atom.proven for atom in diff.atoms)


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
