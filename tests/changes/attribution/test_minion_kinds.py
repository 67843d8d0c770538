"""Of many affected minions, one of each kind is examined, and the cause is that of each of them."""

from pathlib import Path

import pytest
from tests.support.fleets import write_fleet
from tests.support.repositories import commit_all
from tests.support.sides import open_both, start

from pillarbook.changes.compare_sides import compare_sides
from pillarbook.compare.diff import Diff

MINIONS = [f"web{number}" for number in range(6)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty repository in which even two affected minions are many."""
    monkeypatch.setattr("pillarbook.changes.attribution.explain.ALL_BELOW", 1)
    start(tmp_path.resolve())
    return tmp_path.resolve()


def compare(folder: Path) -> Diff:
    with open_both(folder, "HEAD~1", "HEAD") as sides:
        return compare_sides(sides)


def causes_of(diff: Diff) -> dict[str, set[tuple[str, int]]]:
    """Return the lines that the changes of each minion cite; all of them must be proven."""
    assert all(atom.proven for atom in diff.atoms)
    found: dict[str, set[tuple[str, int]]] = {}
    for atom in diff.atoms:
        for minion in atom.minions:
            found.setdefault(minion, set()).update((one.file, one.line) for one in atom.because)
    return found


def test_values_that_each_minion_has_alone_are_one_kind(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pillarbook.changes.attribution.minion_kinds.MAX_MEMBERS", 1)
    minions: dict[str, object] = {name: {"grains": {}} for name in MINIONS}
    top = "base:\n  '*': [own]\n"
    for key in ("name", "names"):
        own = f"own:\n  {key}: {{{{ grains['id'] }}}}\n"
        commit_all(write_fleet(folder, {"top.sls": top, "own.sls": own}, minions))
    diff = compare(folder)
    assert len(diff.atoms) == 12
    assert causes_of(diff) == {name: {("pillar/own.sls", 2)} for name in MINIONS}


def test_lines_that_declare_a_minion_are_its_own_cause(folder: Path) -> None:
    files = {"top.sls": "base:\n  '*': [own]\n", "own.sls": "os: {{ grains['os'] }}\n"}
    for system in ("Debian", "Ubuntu"):
        minions: dict[str, object] = {}
        for name in MINIONS:
            minions[name] = {"grains": {"os": system, "kernel": "Linux", "virtual": "kvm"}}
        commit_all(write_fleet(folder, files, minions))
    causes = causes_of(compare(folder))
    assert set(causes) == set(MINIONS)
    assert len({line for lines in causes.values() for line in lines}) == len(MINIONS)


def test_files_of_external_pillars_are_their_own_cause(folder: Path) -> None:
    minions: dict[str, object] = {name: {"grains": {}} for name in MINIONS}
    files = {"top.sls": "base:\n  '*': [own]\n", "own.sls": "own: {{ grains['id'] }}\n"}
    options = {"ext_pillar": [{"file_tree": {"root_dir": str(folder / "hosts")}}]}
    for text in ("one", "two"):
        for name in MINIONS:
            host = folder / "hosts" / "hosts" / name
            host.mkdir(parents=True, exist_ok=True)
            (host / "note").write_text(f"{text} {name}\n")
        commit_all(write_fleet(folder, files, minions, options))
    causes = causes_of(compare(folder))
    assert causes == {name: {(f"hosts/hosts/{name}/note", 1)} for name in MINIONS}
