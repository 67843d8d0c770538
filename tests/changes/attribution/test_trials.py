"""A trial compiles only the minions that the changed lines may affect."""

from pathlib import Path

import pytest
from tests.support.fleets import write_fleet
from tests.support.repositories import commit_all
from tests.support.sides import open_both, start

from pillarbook.changes.compare_sides import compare_sides
from pillarbook.changes.comparison.trial import Trial
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.session import RunOptions

FILES = {
    "top.sls": "base:\n  web:\n    - one\n    - two\n  db:\n    - other\n",
    "one.sls": "one: 1\n",
    "two.sls": "two: 1\n",
    "other.sls": "other: 1\n",
}
NESTED = f"x: {'[' * 300}{']' * 300}\n"
CASES = {
    "code of the tree may run": ({}, RunOptions(checks=False, environments=False, python=True)),
    "an SLS exceeds a limit": (
        {"other.sls": NESTED},
        RunOptions(checks=False, environments=False),
    ),
}


@pytest.mark.parametrize(("files", "options"), CASES.values(), ids=CASES)
def test_a_trial_compiles_what_may_differ(
    files: dict[str, str], options: RunOptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path.resolve()
    start(folder)
    minions: dict[str, object] = {"web": {"grains": {}}, "db": {"grains": {}}}
    write_fleet(folder, {**FILES, **files}, minions)
    commit_all(folder)
    write_fleet(folder, {**FILES, "one.sls": "one: 2\n", "two.sls": "two: 2\n", **files}, minions)
    commit_all(folder)
    tried: list[str] = []
    compile_ = Trial.compile

    def note(
        self: Trial, compiled: CompiledPillar, base: CompiledPillar | None
    ) -> CompiledPillar | None:
        found = compile_(self, compiled, base)
        tried.extend([compiled.minion] * (found is not compiled))
        return found

    monkeypatch.setattr(Trial, "compile", note)
    with open_both(folder, "HEAD~1", "HEAD", options) as sides:
        diff = compare_sides(sides)
    assert [one.because[0].file for one in diff.atoms] == ["pillar/one.sls", "pillar/two.sls"]
    assert all(one.proven for one in diff.atoms)
    assert set(tried) == {"web"}
