"""Provenance by mutation: a value changes with the line that is cited for it, and no other does."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from tests.properties.trees import DrawnFleet, fleets
from tests.support.fleets import CASES, EXAMPLE, compile_case, open_fleet, write_drawn, write_fleet
from tests.support.mutation import (
    Literal,
    Seen,
    find_literals,
    read_source,
    replace_literals,
    see,
    typed,
)

from pillarbook.model import leaves, plain

FOLDERS = {
    path.parent.relative_to(CASES).as_posix(): path.parent
    for path in sorted(CASES.rglob("expected.json"))
}
FOLDERS["example"] = EXAMPLE
STEERS = ("master", "minions.yml", "pillar/Rocky.sls")
"""Where a literal is read by more than the pillar of one minion, or by a function: what that gives
cites the line that calls it."""

pytestmark = pytest.mark.filterwarnings("ignore:invalid escape sequence:DeprecationWarning")


Changes = dict[str, list[Literal]]
"""Scalars to change, by file."""


class Mutations:
    """A case folder whose sources may be changed, and the fleet before any change."""

    def __init__(self, folder: Path, look: Callable[[], Seen]) -> None:
        self.folder = folder
        self.look = look
        self.before = look()
        self.cited = {place for leaf in self.before.values() for place in leaf.cited}
        self.files = sorted(
            {file for file, _ in self.cited}
            | {path.relative_to(folder).as_posix() for path in folder.rglob("*.sls")}
        )

    def literals(self, file: str) -> list[Literal]:
        text = read_source(self.folder, file)
        return find_literals(text) if text is not None else []

    def ignores(self, file: str, literal: Literal) -> bool:
        """Say whether no leaf cites the line, not even as overridden."""
        return (file, literal.line) not in self.cited

    def leaves_of(self, file: str, literal: Literal) -> list[tuple[str, str]]:
        """Return the leaves whose value stands in a line of a file."""
        return [
            key
            for key, leaf in self.before.items()
            if leaf.cited
            and leaf.cited[-1] == (file, literal.line)
            and leaf.value == typed(literal.value)
        ]

    def change(self, changed: Changes) -> Seen:
        """Return what the fleet gets with scalars changed, each to a value of its own."""
        originals = {file: (self.folder / file).read_bytes() for file in changed}
        for file, literals in changed.items():
            text = read_source(self.folder, file)
            assert text is not None
            new = replace_literals(text, {one: new_value(file, one) for one in literals})
            (self.folder / file).write_text(new)
        try:
            return self.look()
        finally:
            for file, original in originals.items():
                (self.folder / file).write_bytes(original)


def new_value(file: str, literal: Literal) -> str:
    return f"mutated-{file.replace('/', '-')}-{literal.line}"


@contextmanager
def open_mutations(original: Path) -> Iterator[Mutations]:
    with tempfile.TemporaryDirectory() as temporary, open_fleet(original) as fleet:
        folder = Path(temporary) / "case"
        shutil.copytree(original, folder, symlinks=True)

        def look() -> Seen:
            with open_fleet(folder, decryptor=fleet.project.decryptor) as changed:
                return see(changed)

        yield Mutations(folder, look)


def check_lines_exist(mutations: Mutations) -> None:
    for file, line in mutations.cited:
        text = read_source(mutations.folder, file)
        assert text is not None, file
        assert line is not None, file
        assert 1 <= line <= len(text.split("\n")), (file, line)


def check_cited_lines(mutations: Mutations, *, singly: bool = False) -> int:
    """Check that each value changes with its literal; return how many literals were changed.

    All are changed at once, and only those that do not follow then are changed alone: another one
    may decide about them.
    """
    readers = {
        (file, literal): leaves
        for file in mutations.files
        if file != "master" and "top" not in file
        for literal in mutations.literals(file)
        if (leaves := mutations.leaves_of(file, literal))
    }
    changes: Changes = {}
    for file, literal in readers:
        changes.setdefault(file, []).append(literal)
    after = mutations.change(changes) if readers and not singly else {}
    for (file, literal), keys in readers.items():
        if not follows(file, literal, keys, after):
            alone = mutations.change({file: [literal]})
            assert follows(file, literal, keys, alone), (file, literal)
            check_only_cited(mutations, file, literal, alone)
    return len(readers)


def follows(file: str, literal: Literal, keys: list[tuple[str, str]], after: Seen) -> bool:
    """Say whether leaves have the literal's new value; one may vanish where it decides that."""
    expected = typed(new_value(file, literal))
    return bool(after) and all(key not in after or after[key].value == expected for key in keys)


def check_only_cited(mutations: Mutations, file: str, literal: Literal, after: Seen) -> None:
    """Check that leaves that changed cite the line; not where templates read the pillar."""
    if file in STEERS or "ext_pillar" in (read_source(mutations.folder, "master") or ""):
        return
    for key, leaf in mutations.before.items():
        is_error = key[1].startswith("('_errors'")  # may quote the source
        if not is_error and (key not in after or after[key].value != leaf.value):
            assert (file, literal.line) in leaf.cited, (key, file, literal)


def check_uncited_lines(mutations: Mutations) -> None:
    """Check that no value changes with the literals of lines that are not cited."""
    failed = any(key[1].startswith("('_errors'") for key in mutations.before)
    giving = {file for leaf in mutations.before.values() for file, _ in leaf.cited}
    uncited = {
        file: literals
        for file in mutations.files
        if file.endswith(".sls") and "top" not in file
        if file in giving or not failed  # another literal may mend a file that failed
        if (literals := [one for one in mutations.literals(file) if mutations.ignores(file, one)])
    }
    if uncited:
        assert values(mutations.change(uncited)) == values(mutations.before), uncited


def values(seen: Seen) -> dict[tuple[str, str], tuple[str, str]]:
    """Return what leaves hold, but for errors, which may quote the source."""
    return {key: leaf.value for key, leaf in seen.items() if not key[1].startswith("('_errors'")}


@pytest.mark.sample(6)
@pytest.mark.parametrize("folder", FOLDERS.values(), ids=FOLDERS)
def test_values_change_with_their_lines(folder: Path) -> None:
    with open_mutations(folder) as mutations:
        check_lines_exist(mutations)
        check_uncited_lines(mutations)
        count = check_cited_lines(mutations, singly=False)
    # The search for literals is careful; it must not be so careful that it finds nothing.
    assert count > 100 or folder != EXAMPLE


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS.values(), ids=FOLDERS)
def test_values_change_with_each_line_alone(folder: Path) -> None:
    with open_mutations(folder) as mutations:
        check_cited_lines(mutations, singly=True)


@settings(max_examples=6)
@given(fleet=fleets(steady=True))
def test_drawn_values_change_with_their_lines(fleet: DrawnFleet) -> None:
    check_drawn(fleet, singly=False)


@pytest.mark.minutes(4)
@pytest.mark.slow
@settings(max_examples=200)
@given(fleet=fleets())
def test_many_drawn_values_change_with_their_lines(fleet: DrawnFleet) -> None:
    check_drawn(fleet, singly=True)


def check_drawn(fleet: DrawnFleet, *, singly: bool) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        open_mutations(write_drawn(Path(folder), fleet)) as mutations,
    ):
        check_lines_exist(mutations)
        check_uncited_lines(mutations)
        check_cited_lines(mutations, singly=singly)


ORIGINS: dict[str, tuple[dict[str, str], dict[str, list[tuple[str, int]]]]] = {
    "anchor-is-cited-not-alias": (
        {"s.sls": "one: &x\n  a: 1\ntwo: *x\nthree: &y v\nfour: *y\n"},
        {
            "two:a": [("s.sls", 2)],
            "four": [("s.sls", 4)],
        },
    ),
    "merge-key": (
        {"s.sls": "one: &x\n  a: 1\n  b: 2\ntwo:\n  <<: *x\n  b: 3\n"},
        {"two:a": [("s.sls", 2)], "two:b": [("s.sls", 6)]},
    ),
    "macro-at-its-use": (
        {
            "m.jinja": "{% macro m(x) %}\n{{- x }}\n{%- endmacro %}\n",
            "s.sls": "{% from 'm.jinja' import m %}\n\na: {{ m(1) }}\nb:\n  - {{ m(2) }}\n",
        },
        {"a": [("s.sls", 3)], "b:0": [("s.sls", 5)]},
    ),
    "whole-block-from-macro": (
        {"s.sls": "{% macro m() %}\na:\n  b: 1\n  c: 2\n{% endmacro %}\n\n{{ m() }}\nd: 1\n"},
        {"a:b": [("s.sls", 7)], "a:c": [("s.sls", 7)], "d": [("s.sls", 8)]},
    ),
    "import-yaml-at-its-use": (
        {
            "d.yaml": "\n\n\nx: 1\n",
            "s.sls": "{% import_yaml 'd.yaml' as d %}\na: {{ d.x }}\nb: {{ d | json }}\n",
        },
        {"a": [("s.sls", 2)], "b:x": [("s.sls", 3)]},
    ),
    "jinja-include-in-its-file": (
        {"part.jinja": "# one\nb: 1\n", "s.sls": "a: 1\n{% include 'part.jinja' %}\nc: 1\n"},
        {"a": [("s.sls", 1)], "b": [("part.jinja", 2)], "c": [("s.sls", 3)]},
    ),
    "override-chain-oldest-first": (
        {"s.sls": "include: [t, u]\na: 3\n", "t.sls": "\na: 1\n", "u.sls": "\n\na: 2\n"},
        {"a": [("t.sls", 2), ("u.sls", 3), ("s.sls", 2)]},
    ),
    "include-under-key": (
        {"s.sls": "include:\n  - t:\n      key: x:y\n", "t.sls": "\na: 1\nb: {}\n"},
        {"x:y:a": [("t.sls", 2)], "x:y:b": [("t.sls", 3)]},
    ),
    "mapping-over-scalar": (
        {"s.sls": "include: [t]\na:\n  b: 1\n  c: 2\n", "t.sls": "a: 1\n"},
        {"a:b": [("t.sls", 1), ("s.sls", 3)], "a:c": [("t.sls", 1), ("s.sls", 4)]},
    ),
    "scalar-over-mapping": (
        {"s.sls": "include: [t]\na: 1\n", "t.sls": "a:\n  b: 1\n  c: 2\n"},
        {"a": [("t.sls", 2), ("t.sls", 3), ("s.sls", 2)]},
    ),
    "empty-containers": (
        {"s.sls": "include: [t]\na: {}\nb:\n  c: []\n", "t.sls": "a: []\n"},
        {"a": [("t.sls", 1), ("s.sls", 2)], "b:c": [("s.sls", 4)]},
    ),
    "put-by-a-template": (
        {"s.sls": "# first\n{% do pillar.update({'x': 1}) %}\na: 1\n"},
        {"x": [("s.sls", 2)], "a": [("s.sls", 3)]},
    ),
    "loop": (
        {"s.sls": "{% for n in ['a', 'b'] %}\n\n{{ n }}:\n  x: same\n{% endfor %}\nc: 1\n"},
        {"a:x": [("s.sls", 4)], "b:x": [("s.sls", 4)], "c": [("s.sls", 6)]},
    ),
    "same-file-included-twice": (
        {
            "s.sls": "include: [t, u]\na: 2\n",
            "t.sls": "include: [v]\n",
            "u.sls": "include: [v]\n",
            "v.sls": "a: 1\n",
        },
        {"a": [("v.sls", 1), ("s.sls", 2)]},
    ),
}


@pytest.mark.parametrize("memo", [True, False], ids=["memo", "plain"])
@pytest.mark.parametrize(("files", "expected"), ORIGINS.values(), ids=ORIGINS)
def test_origins(
    files: dict[str, str],
    expected: dict[str, list[tuple[str, int]]],
    memo: bool,
    tmp_path: Path,
) -> None:
    top = {"top.sls": "base:\n  '*': [s]\n"}
    compiled = compile_case(write_fleet(tmp_path, top | files, {"m": {}}), memo=memo)["m"]
    found: dict[str, Any] = {
        ":".join(map(str, path)): [(origin.file, origin.line) for origin in origins]
        for path, _, origins in leaves(compiled.tree)
    }
    cited = {
        path: [(f"pillar/{file}", line) for file, line in origins]
        for path, origins in expected.items()
    }
    assert {path: found.get(path) for path in cited} == cited


def test_what_comes_with_the_minion_is_cited_in_the_inventory(tmp_path: Path) -> None:
    minions = {"m": {"pillar": {"a": {"b": 1}, "l": ["x", "y"]}, "opts": {"mine": 1}}}
    master = {"pillar_opts": True, "nodegroups": {"one": "x", "two": "y"}}
    folder = write_fleet(tmp_path, {"top.sls": "base:\n  '*': [missing]\n"}, minions, master)
    compiled = compile_case(folder)["m"]
    declared = (folder / "minions.yml").read_text().splitlines()
    options = (folder / "master").read_text().splitlines()
    lines = {
        path: (origins[-1].file, origins[-1].line) for path, _, origins in leaves(compiled.tree)
    }
    assert plain(compiled.tree)["_errors"]
    assert lines["a", "b"] == ("minions.yml", declared.index("        b: 1") + 1)
    assert lines["l", 1] == ("minions.yml", declared.index("      - y") + 1)
    assert lines["_errors", 0] == ("minions.yml", declared.index("  m:") + 1)
    assert lines["master", "mine"] == ("minions.yml", declared.index("  m:") + 1)
    assert lines["master", "nodegroups", "two"] == ("master", options.index("  two: y") + 1)
