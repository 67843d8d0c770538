"""Which pillar keys the states of a minion read, and which of these it does not have."""

from pathlib import Path

import pytest
from tests.support.derived import opened, write_tree

from pillarbook.redact.redacted_states import KeyRead, SlsReads
from pillarbook.taint.state_reads import StateReads

STATES = {"file_roots": {"base": ["states"]}}
PILLAR = """\
a: {b: 1, c: {d: x, e: []}}
list: [{n: 1}, {n: 2}]
nothing: {}
7: seven
"""


def reads_of(
    folder: Path, app: str, top: str = "base: {'*': [app]}", **more: str
) -> tuple[SlsReads | None, ...]:
    """Return what the state SLS ``app``, and the targets, read of the pillar of one minion."""
    files = {
        "pillar/top.sls": "base: {'*': [all]}",
        "pillar/all.sls": PILLAR,
        "states/top.sls": top,
        "states/app.sls": app,
        **more,
    }
    with opened(write_tree(folder, files, master=STATES)) as session:
        states = session.compiler.compile_states(session.compiler.compile("a"))
        reads = StateReads(lambda path: path)
        return (*reads.of_sls(states), reads.of_targets(states))


def told(reads: SlsReads | None) -> list[str]:
    """Return reads in short: ``a.b``, ``a all``, ``x missing``."""
    return [] if reads is None else [_describe(one) for one in reads.reads if one.how != "mapping"]


def _describe(read: KeyRead) -> str:
    path = ".".join(map(str, read.path)) or "."
    how = "" if read.how == "value" else f" {read.how}"
    return path + how + {None: "", "bare": " missing", "default": " default"}[read.missing]


EXPRESSIONS = {
    "attribute": ("pillar.a.b", ["a.b"]),
    "item": ("pillar['a']['b']", ["a.b"]),
    "get": ("pillar.get('a', {}).get('b')", ["a.b"]),
    "function": ("salt['pillar.get']('a:c:d', 5)", ["a.c.d"]),
    "options": ("opts.pillar.a.b", ["a.b"]),
    "config": ("salt['config.get']('a:b')", ["a.b"]),
    "handed-out": ("pillar.get('a') is mapping", []),
    "keys": ("pillar.a | list", ["a keys"]),
    "all": ("pillar.a | string", ["a all"]),
    "everything": ("pillar | string", [". all"]),
    "list-counts-whole": ("pillar.list[0].n", ["list"]),
    "presence": ("'b' in pillar.a", ["a.b presence"]),
    "number-as-key": ("salt['pillar.get']('7')", ["7"]),
    "absence-asked": ("'x' in pillar", ["x presence default"]),
    "absence-then-default": ("'x' in pillar or pillar.get('x', 1)", ["x default"]),
    "get-without": ("pillar.get('x')", ["x missing"]),
    "get-with": ("pillar.get('x', none)", ["x default"]),
    "function-without": ("salt['pillar.get']('x:y')", ["x.y missing"]),
    "function-with": ("salt['pillar.get']('x:y', '')", ["x.y default"]),
    "function-merging": ("salt['pillar.get']('a:x', {}, merge=True)", ["a.x default"]),
    "function-halfway": ("salt['pillar.get']('a:c:x:y')", ["a.c.x.y missing"]),
    "function-below-a-value": ("salt['pillar.get']('a:b:x')", ["a.b", "a.b.x missing"]),
    "number-that-is-no-key": ("salt['pillar.get']('8', 1)", ["8 default"]),
    "filter": ("pillar.x | default(1)", ["x default"]),
    "filter-in-short": ("pillar['a']['x'] | d('')", ["a.x default"]),
    "test": ("pillar.x is defined", ["x default"]),
    "other-test": ("pillar.x is not undefined", ["x default"]),
    "once-with-once-without": ("[pillar.get('x', 1), pillar.get('x')]", ["x missing"]),
    "filtered-twice": ("[pillar.get('x'), pillar.x | d(1), pillar.x | d(2)]", ["x missing"]),
    "config-without": ("salt['config.get']('x', 1)", ["x default", "master default"]),
    "nothing": ("grains.os", []),
}


@pytest.mark.parametrize(("expression", "expected"), EXPRESSIONS.values(), ids=EXPRESSIONS)
def test_an_expression(expression: str, expected: list[str], tmp_path: Path) -> None:
    app = f"x: {{test.nop: [{{v: {{{{ ({expression}) | string | tojson }}}}}}]}}\n"
    found, targets = reads_of(tmp_path, app)
    assert told(found) == expected
    assert targets is None


def test_a_value_that_is_missing_and_used_fails_and_is_told(tmp_path: Path) -> None:
    found, _ = reads_of(tmp_path, "x: {test.nop: [{v: {{ pillar.a.x }}}]}\n")
    assert told(found) == ["a.x missing"]


def test_reads_of_imported_files_count(tmp_path: Path) -> None:
    app = "{% from 'map.jinja' import m with context %}\nx: {test.nop: [{v: {{ m }}}]}\n"
    more = {"states/map.jinja": "{% set m = pillar.a.b %}"}
    found, _ = reads_of(tmp_path, app, **more)
    assert told(found) == ["a.b"]


def test_targets_read(tmp_path: Path) -> None:
    top = "base: {'a:b:1': [{match: pillar}, app], 'J@a:c:d:^x and I@list:3': [none]}"
    _, targets = reads_of(tmp_path, "x: {test.nop: []}\n", top)
    assert told(targets) == ["a.b", "a.c.d", "list"]


def test_of_a_minion_that_is_compiled_plainly_nothing_is_known(tmp_path: Path) -> None:
    app = "{% do pillar.update({'z': 1}) %}\nx: {test.nop: [{v: {{ pillar.a.b }}}]}\n"
    found, targets = reads_of(tmp_path, app)
    assert found is not None
    assert (found.recorded, found.reads, targets) == (False, (), None)
