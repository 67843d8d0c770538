"""Targets in the top files of states that match no minion."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_files, write_fleet

from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.settings import Settings
from pillarbook.session import RunOptions, open_session

MINIONS: dict[str, Any] = {"web1": {"grains": {"roles": ["web"]}}, "db1": {}}
PILLAR = {"top.sls": "base: {'*': [p]}\n", "p.sls": "role: shop\n"}
CASES: dict[str, tuple[str, str, str] | None] = {
    "'roles:web': [{match: grain}, s]": None,
    "'role:shop': [{match: pillar}, s]": None,
    "'*': [s]": None,
    "'roles:webb': [{match: grain}, s]": ("unmatched-target", "note", "did you mean `roles:web`?"),
    "'role:cafe': [{match: pillar}, s]": (
        "unmatched-target",
        "note",
        "correct it, remove it, or declare its minions in the inventory",
    ),
    "'roles:web': [s]": (
        "unknown-minion",
        "warning",
        "if it is not an id, add its matcher below the target: `- match: grain`",
    ),
    "'web9': [s]": (
        "unknown-minion",
        "note",
        "declare the minion in the inventory, or remove it from the top file",
    ),
}


TARGET_RULES = ("unmatched-target", "unknown-minion")


def find(
    folder: Path, target: str, pillar: dict[str, str], codes: tuple[str, ...] = TARGET_RULES
) -> list[Diagnostic]:
    write_fleet(folder, pillar, MINIONS, {"file_roots": {"base": ["states"]}})
    files = {"top.sls": f"base:\n  'web1 or db1': []\n  {target}\n", "s.sls": "t: {test.nop: []}\n"}
    write_files(folder / "states", files)
    settings = Settings(
        master=folder / "master", inventory=(folder / "minions.yml",), folder=folder
    )
    with open_session(settings, RunOptions()) as session:
        session.look_at_all()
        found = session.shown.diagnostics
    return [one for one in found if one.code in codes]


def test_a_matcher_without_a_space_is_the_cause_of_its_missing_sls(tmp_path: Path) -> None:
    found = find(tmp_path, "'*': ['match:glob', s]", PILLAR, ("top-shape", "missing-sls"))
    told, missing = sorted(found, key=lambda one: one.code == "missing-sls")
    assert str(told.position) == "states/top.sls:3"
    assert told.message == (
        "an entry of the target '*' has no space after 'match:', so Salt reads it as an SLS"
    )
    assert told.help == "write `- match: glob`"
    assert missing.caused_by == told


def test_a_target_without_a_match_may_lack_a_space(tmp_path: Path) -> None:
    (told,) = find(tmp_path, "'roles:web': ['match:grain', s]", PILLAR, ("top-shape",))
    assert told.help == "write `- match: grain`"


@pytest.mark.parametrize("target", CASES)
def test_a_target_without_a_match_is_reported_with_its_line(target: str, tmp_path: Path) -> None:
    found = find(tmp_path, target, PILLAR)
    expected = CASES[target]
    if expected is None:
        assert found == []
        return
    (told,) = found
    assert (told.code, str(told.severity), told.help) == expected
    assert str(told.position) == "states/top.sls:3"


def test_nothing_is_said_if_the_states_of_a_minion_are_not_known(tmp_path: Path) -> None:
    """Its pillar is missing, so nobody knows which targets match it."""
    breaks = {**PILLAR, "p.sls": "include: [5]\n"}
    assert find(tmp_path, "'roles:wbe': [{match: grain}, s]", breaks) == []
