"""The top files of the conformance cases about matchers, target by target."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.compile.matchers.minion import Minion

from pillarbook.compile.matchers import MatcherError, match_target

CASES = sorted((Path(__file__).parents[2] / "cases/pillar/matchers").iterdir())


def read_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text())


def read_sls(case: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = read_yaml(case / "pillar" / (name.replace(".", "/") + ".sls"))
    return found


def select_sls(top: dict[Any, Any], minion: Minion) -> list[str]:
    selected = []
    for target, entries in top["base"].items():
        named = [entry["match"] for entry in entries if isinstance(entry, dict)]
        if match_target(target, named[-1] if named else "compound", minion):
            selected += [entry for entry in entries if isinstance(entry, str)]
    return selected


def list_answers() -> list[Any]:
    return [
        pytest.param(case, minion_id, expected, id=f"{case.name}-{minion_id}")
        for case in CASES
        for minion_id, expected in json.loads((case / "expected.json").read_text()).items()
    ]


@pytest.mark.parametrize(("case", "minion_id", "expected"), list_answers())
def test_targets_select_what_salt_selects(
    case: Path, minion_id: str, expected: dict[str, Any]
) -> None:
    master = read_yaml(case / "master")
    top = read_yaml(case / "pillar/top.sls")
    entry = read_yaml(case / "minions.yml")["minions"][minion_id] or {}
    from_sls = {
        key
        for entries in top["base"].values()
        for name in entries
        if isinstance(name, str)
        for key in read_sls(case, name)
    }
    # the external pillar lies over the override while targets are matched
    pillar = (
        {**(entry.get("pillar") or {}), **read_yaml(case / "site.yml")}
        if master.get("ext_pillar_first")
        else {}
    )
    minion = Minion(minion_id, entry.get("grains") or {}, pillar, master.get("nodegroups") or {})

    if "$raises" in expected:
        with pytest.raises(MatcherError) as failure:
            select_sls(top, minion)
        assert str(failure.value).partition(":")[0] == expected["$raises"].partition(":")[0]
        return
    set_by_sls = {key for name in select_sls(top, minion) for key in read_sls(case, name)}
    assert set_by_sls == expected.keys() & from_sls
