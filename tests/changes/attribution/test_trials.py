"""A trial compiles only the minions that the changed lines may affect."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.support.fleets import write_fleet
from tests.support.repositories import commit_all
from tests.support.sides import empty, open_both, start

from pillarbook.changes.compare_sides import compare_sides
from pillarbook.changes.comparison.trial import Trial
from pillarbook.compile import render_file
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
    commit_all(write_fleet(folder, {**FILES, **files}, minions))
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


def test_trials_share_renders_and_compile_only_minions_of_the_atom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new option makes each trial unlike the head, and the atom of ``web`` needs two hunks."""
    folder = tmp_path.resolve()
    start(folder)
    minions: dict[str, object] = {"web": {"grains": {}}, "db": {"grains": {}}}
    ordinary = [f"s{number}" for number in range(8)]
    top = {"base": {"*": ordinary, "web": ["named"]}}
    for side in (1, 2):
        empty(folder)
        top["base"]["web"] = [f"named{side}"]
        files = {"top.sls": yaml.safe_dump(top), f"named{side}.sls": f"named: {side}\n"}
        files |= {f"{name}.sls": f"{name}: {{{{ opts.asked }}}}\n" for name in ordinary}
        commit_all(write_fleet(folder, files, minions, {"asked": side, "unread": side}))
    rendered: list[str] = []
    compiled: list[str] = []
    render, compile_ = render_file._render_anew, Trial.compile

    def note_render(key: Any, *others: Any) -> Any:
        rendered.append(key[2])
        return render(key, *others)

    def note(self: Trial, own: CompiledPillar, base: CompiledPillar | None) -> Any:
        compiled.append(own.minion)
        return compile_(self, own, base)

    with open_both(folder, "HEAD~1", "HEAD") as sides:
        monkeypatch.setattr(render_file, "_render_anew", note_render)
        monkeypatch.setattr(Trial, "compile", note)
        diff = compare_sides(sides)
    assert all(one.proven for one in diff.atoms)
    assert len(rendered) < 48  # also without each of the two options
    assert compiled.count("db") < compiled.count("web") < 10


def test_a_trial_that_equals_the_base_is_the_base(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each minion reads one of the two files, so without its hunk it is as it was."""
    folder = tmp_path.resolve()
    start(folder)
    minions: dict[str, object] = {"web": {"grains": {}}, "db": {"grains": {}}}
    commit_all(write_fleet(folder, FILES, minions))
    changed = {**FILES, "one.sls": "one: 2\n", "other.sls": "other: 2\n"}
    commit_all(write_fleet(folder, changed, minions))
    results = _note_results(monkeypatch)
    with open_both(folder, "HEAD~1", "HEAD") as sides:
        diff = compare_sides(sides)
    assert [one.because[0].file for one in diff.atoms] == ["pillar/one.sls", "pillar/other.sls"]
    assert all(one.proven for one in diff.atoms)
    assert results == {"web": {"base"}, "db": {"base"}}


OWN = {
    "a value in a render that is repeated": "v: {v}\nid: {{{{ grains['id'] }}}}\n",
    "a value in a file of the same data": (
        "{{% import_yaml 'data.yaml' as data %}}\n"
        "{{% for name in [grains['id']] %}}\n{{{{ name }}}}: {{{{ data.same }}}}\n{{% endfor %}}\n"
    ),
}


@pytest.mark.parametrize("own", OWN.values(), ids=OWN)
def test_what_a_file_prints_of_a_minion_makes_no_kind(
    own: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pillarbook.changes.attribution.explain.ALL_BELOW", 1)
    folder = tmp_path.resolve()
    start(folder)
    minions: dict[str, object] = {f"web{number}": {"grains": {}} for number in range(6)}
    for value in (1, 2):
        files = {
            "top.sls": "base:\n  '*': [own, plain]\n",
            "own.sls": own.format(v=value),
            "plain.sls": f"plain: {value}\n",
            "data.yaml": f"same: 1\nunread: {value}\n",
        }
        commit_all(write_fleet(folder, files, minions))
    results = _note_results(monkeypatch)
    with open_both(folder, "HEAD~1", "HEAD") as sides:
        diff = compare_sides(sides)
    assert all(one.proven and len(one.minions) == 6 for one in diff.atoms)
    assert len(results) == 1


def _note_results(monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    """Return which pillars trials give for each minion, while a comparison goes on."""
    results: dict[str, set[str]] = {}
    compile_ = Trial.compile

    def note(self: Trial, own: CompiledPillar, base: CompiledPillar | None) -> Any:
        found = compile_(self, own, base)
        kind = "head" if found is own else "base" if found is base else "new"
        results.setdefault(own.minion, set()).add(kind)
        return found

    monkeypatch.setattr(Trial, "compile", note)
    return results
