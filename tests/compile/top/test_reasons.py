"""The words of compound targets and nodegroups, each with its verdict."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.fleets import Fleet, open_fleet, write_fleet

from pillarbook.compile.matchers import Verdict

TOP = """\
base:
  '*':
    - a
  'web1':
    - a
  'G@os:Debian and not L@db1,db2':
    - a
  'N@front or G@role:db':
    - a
  'front':
    - match: nodegroup
    - a
  'os:Debian':
    - match: grain
    - a
  '( G@os:Debian or':
    - a
"""
MASTER = {"nodegroups": {"front": r"G@role:web and E@^web\d"}}
MINIONS = {
    "web1": {"grains": {"os": "Debian", "role": "web"}},
    "web2": {"grains": {"os": "Rocky", "role": "web"}},
    "db1": {"grains": {"os": "Debian", "role": "db"}},
    "webserver": {"grains": {"os": "Debian", "role": "web"}},
}


@pytest.fixture(params=[True, False], ids=["memo", "plain"])
def fleet(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Fleet]:
    write_fleet(
        tmp_path,
        {"top.sls": TOP.replace("  '( G@os:Debian or':\n    - a\n", ""), "a.sls": "a: 1\n"},
        MINIONS,
        master=MASTER,
    )
    with open_fleet(tmp_path, memo=request.param) as opened:
        yield Fleet(opened.minions, replace(opened.project, explains=True))


def words(fleet: Fleet, minion: str) -> dict[str, list[tuple[str, bool]]]:
    compiled = fleet.compile(minion)
    return {one.target: [flat(part) for part in one.parts] for one in compiled.targets}


def flat(part: Verdict) -> tuple[str, bool]:
    return part.text, part.matched


@pytest.mark.parametrize(
    ("minion", "debian", "not_listed", "front", "database"),
    [
        ("web1", True, False, True, False),
        ("web2", False, False, True, False),
        ("db1", True, True, False, True),
        ("webserver", True, False, False, False),
    ],
)
def test_each_word_has_its_verdict(
    fleet: Fleet, minion: str, *, debian: bool, not_listed: bool, front: bool, database: bool
) -> None:
    for _ in range(2):  # the second time from memory
        found = words(fleet, minion)
        assert found["G@os:Debian and not L@db1,db2"] == [
            ("G@os:Debian", debian),
            ("L@db1,db2", not_listed),
        ]
        assert found["N@front or G@role:db"] == [("N@front", front), ("G@role:db", database)]


def test_words_of_a_nodegroup_stand_below_it(fleet: Fleet) -> None:
    (target,) = (one for one in fleet.compile("webserver").targets if one.target.startswith("N@"))
    front = target.parts[0]
    assert [flat(part) for part in front.parts] == [
        ("G@role:web", True),
        (r"E@^web\d", False),
    ]


def test_targets_of_one_word_have_no_reasons(fleet: Fleet) -> None:
    found = words(fleet, "web1")
    assert found["*"] == found["web1"] == found["os:Debian"] == []


def test_minions_that_answer_alike_share_the_verdict(fleet: Fleet) -> None:
    first, second = (fleet.compile(minion).targets for minion in ("web1", "web1"))
    shared = [a is b for a, b in zip(first, second, strict=True)]
    assert all(shared) or not fleet.project.memo


def test_reasons_are_asked_for_only_on_demand(fleet: Fleet) -> None:
    quiet = Fleet(fleet.minions, replace(fleet.project, explains=False))
    assert not any(one.parts for one in quiet.compile("web1").targets)


def test_a_broken_target_breaks_off_as_without_reasons(tmp_path: Path) -> None:
    write_fleet(tmp_path, {"top.sls": TOP, "a.sls": "a: 1\n"}, MINIONS, master=MASTER)
    outcomes = set()
    for explains in (False, True):
        with open_fleet(tmp_path) as opened:
            fleet = Fleet(opened.minions, replace(opened.project, explains=explains))
            compiled = fleet.compile("web1")
            outcomes.add((compiled.outcome, compiled.raises))
    assert len(outcomes) == 1
