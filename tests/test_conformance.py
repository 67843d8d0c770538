"""Every conformance case gives what Salt gives, key order included."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from tests.support.fleets import CASES, answer_of, lowstate_of, open_fleet

from pillarbook.diagnostics import Diagnostic, Severity

FOLDERS = {
    path.parent.relative_to(CASES).as_posix(): path.parent
    for area in (
        "external",
        "functions",
        "hierarchy",
        "highstate",
        "jinja",
        "pillar",
        "renderers",
        "stack",
        "wild",
    )
    for path in sorted((CASES / area).rglob("expected.json"))
}


STATES = {
    path.parent.name: path.parent
    for path in sorted((CASES / "highstate").rglob("expected-lowstate.json"))
}


def both_ways(folders: Mapping[str, Path]) -> list[ParameterSet]:
    """Return each case with the memo and without it; the latter by default for every eighth."""
    found = []
    for number, (name, folder) in enumerate(folders.items()):
        found.append(pytest.param(folder, True, id=f"{name}-memo"))
        marks = pytest.mark.slow if number % 8 else ()
        found.append(pytest.param(folder, False, id=f"{name}-plain", marks=marks))
    return found


def in_order(value: Any) -> Any:
    """Return data in a form that compares with the order of keys."""
    return json.dumps(value)


# A template's text in quotes may hold a backslash that means nothing; Jinja warns, Salt is silent.
@pytest.mark.filterwarnings("ignore:invalid escape sequence:DeprecationWarning")
@pytest.mark.parametrize(("folder", "memo"), both_ways(FOLDERS))
def test_case_gives_what_salt_gives(folder: Path, memo: bool) -> None:
    expected = json.loads((folder / "expected.json").read_text())
    with open_fleet(folder, memo=memo, python=True) as fleet:
        compiled = fleet.compile_all()
    assert compiled.keys() == expected.keys()
    for minion, pillar in compiled.items():
        if "$raises" in expected[minion]:  # that it raises is what counts, not the words
            assert pillar.raises is not None
            assert pillar.outcome == "failed"
        else:
            assert in_order(answer_of(pillar)) == in_order(expected[minion])
        if pillar.errors or pillar.raises:
            assert any(map(is_cause, pillar.diagnostics))


def is_cause(one: Diagnostic) -> bool:
    """Say whether a diagnostic tells why a pillar has errors, and where."""
    return one.severity is not Severity.NOTE and one.position is not None


@pytest.mark.parametrize(("folder", "memo"), both_ways(STATES))
def test_states_come_to_what_salt_gives(folder: Path, memo: bool) -> None:
    expected = json.loads((folder / "expected-lowstate.json").read_text())
    with open_fleet(folder, memo=memo, python=True) as fleet:
        got = {minion: fleet.compile_states(minion) for minion in fleet.minions}
    assert got.keys() == expected.keys()
    for minion, states in got.items():
        if "$raises" in expected[minion]:
            assert states.raises is not None
            assert states.diagnostics
            continue
        assert in_order(lowstate_of(states)) == in_order(expected[minion])
        assert bool(states.errors) <= bool(states.diagnostics)


def test_corpus_is_whole() -> None:
    assert sum(name.startswith("pillar/") for name in FOLDERS) == 213
    assert sum(name.startswith("functions/") for name in FOLDERS) >= 2
    assert sum(name.startswith("jinja/") for name in FOLDERS) >= 35
    assert sum(name.startswith("renderers/") for name in FOLDERS) >= 50
    assert sum(name.startswith("stack/") for name in FOLDERS) >= 25
    assert sum(name.startswith("hierarchy/") for name in FOLDERS) == 26
    assert len(STATES) >= 40
    assert sum(name.startswith("wild/") for name in FOLDERS) >= 8
