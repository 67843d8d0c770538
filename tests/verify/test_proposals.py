"""What is tried for a grain: what differs says what it may be, then other minions and templates."""

from itertools import islice
from typing import Any

import pytest

from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath, Position
from pillarbook.verify.grain_questions import GrainQuestions
from pillarbook.verify.inventory_changes import ABSENT, OTHER, SOME_TEXT, InventoryChange, typed
from pillarbook.verify.proposals import MAX_VALUES, Proposer


def minion(grains: dict[str, Any], **fields: Any) -> Minion:
    given: dict[str, Any] = {
        "id": "web1",
        "pillarenv": None,
        "saltenv": None,
        "pillar": None,
        "pillar_enc": None,
        "pillar_lines": {},
        "opts": {},
        "mine": {},
        "position": Position("minions.yml", 1),
    }
    return Minion(grains=grains, **{**given, **fields})


def propose(
    one: Minion,
    path: KeyPath,
    *,
    others: tuple[dict[str, Any], ...] = (),
    literals: tuple[Any, ...] = (),
    pairs: tuple[tuple[Any, Any], ...] = (),
) -> list[Any]:
    """Return what is proposed for a grain."""
    proposer = Proposer([one, *(minion(grains) for grains in others)], [])
    asked = GrainQuestions({path: list(literals)})
    return [
        change.value for change in proposer.propose(one, asked, pairs) if change.what == "grain"
    ]


GUESSES: dict[str, tuple[Any, tuple[Any, Any], Any]] = {
    "a text that is printed": ("ams", ("at ams, floor 2", "at hel, floor 2"), "hel"),
    "a text that is printed twice": ("ams", ("ams/ntp.ams", "hel/ntp.hel"), "hel"),
    "a text alone": ("ams", ("ams", "hel"), "hel"),
    "a number in a text": (4, ("4 cpus", "16 cpus"), 16),
    "a number": (4, (4, 16), 16),
    "a product": (4, (8, 32), 16),
    "a share, rounded down": (1000, (333, 666), 2000),
    "a sum": (4, (5, 17), 16),
    "a list": (["web"], (["web"], ["app"]), ["app"]),
    "a member": (
        ["127.0.0.1", "10.0.0.1"],
        ("10.0.0.1:80", "10.0.0.9:80"),
        ["127.0.0.1", "10.0.0.9"],
    ),
    "nothing, a text": (ABSENT, (ABSENT, "x"), "x"),
    "nothing, a number as text": (ABSENT, ("0", "7"), 7),
    "true": (True, (1, 2), False),
}


@pytest.mark.parametrize(("current", "pair", "value"), GUESSES.values(), ids=GUESSES)
def test_it_is_guessed_from_what_differs(current: Any, pair: tuple[Any, Any], value: Any) -> None:
    grains = {} if current is ABSENT else {"it": current}
    made = propose(minion(grains), ("it",), pairs=(pair,))
    assert typed(value) in map(typed, made)


NO_GUESSES: dict[str, tuple[Any, tuple[Any, Any]]] = {
    "printed twice, and two texts": ("ams", ("ams/ntp.ams", "hel/ntp.lon")),
    "another place": ("ams", ("at ams, floor 2", "at hel, floor 3")),
    "an empty text": ("", ("a", "b")),
    "as a pattern": ("a.c", ("abc", "xyz")),
}


@pytest.mark.parametrize(("current", "pair"), NO_GUESSES.values(), ids=NO_GUESSES)
def test_nothing_is_guessed_from_what_it_is_not_in(current: Any, pair: tuple[Any, Any]) -> None:
    assert set(propose(minion({"it": current}), ("it",), pairs=(pair,))) <= {ABSENT, OTHER}


def test_what_other_minions_have_is_proposed_the_commonest_first() -> None:
    others = ({"os": "Rocky"}, {"os": "Debian"}, {"os": "Debian"}, {"os": "Suse"})
    made = propose(minion({"os": "Ubuntu"}), ("os",), others=others, literals=("Arch", 7))
    assert made == ["Debian", "Rocky", ABSENT, OTHER, "Arch", "Suse"]


def test_below_a_mapping_grains_are_changed_on_their_own() -> None:
    one = minion({"net": {"ip": "10.0.0.1", "mask": 8}, "os": "Debian"})
    change = InventoryChange("grain", ("net", "ip"), "10.0.0.2", "10.0.0.1")
    assert change.apply(one).grains == {"net": {"ip": "10.0.0.2", "mask": 8}, "os": "Debian"}
    assert one.grains["net"]["ip"] == "10.0.0.1"
    gone = InventoryChange("grain", ("net", "ip"), ABSENT, "10.0.0.1")
    assert gone.apply(one).grains["net"] == {"mask": 8}
    added = InventoryChange("grain", ("new", "deep"), 1, ABSENT)
    assert added.apply(one).grains["new"] == {"deep": 1}
    other = InventoryChange("grain", ("os",), OTHER, "Debian")
    assert other.apply(one).grains["os"] == SOME_TEXT


def test_lists_lose_and_gain_members() -> None:
    others = ({"roles": ["web", "db"]},)
    made = propose(minion({"roles": ["web", "app"]}), ("roles",), others=others, literals=("ci",))
    assert {typed(value) for value in made} >= {
        typed(["web"]),
        typed(["app"]),
        typed(["web", "db"]),
        typed(["web", "app", "db"]),
        typed(["web", "app", "ci"]),
    }


def test_a_grain_of_which_there_are_many_values_leaves_room_for_others() -> None:
    others = tuple({"host": f"h{at}", "os": f"os{at}"} for at in range(500))
    one = minion({"host": "h", "os": "os"})
    proposer = Proposer([one, *map(minion, others)], [])
    asked = GrainQuestions({("host",): [], ("os",): []})
    grains = [change.path for change in islice(proposer.propose(one, asked, ()), 20)]
    assert grains.count(("host",)) == grains.count(("os",)) == 10
    assert sum(1 for _ in proposer.propose(one, asked, ())) <= 2 * (MAX_VALUES + 1)


def test_environments_and_the_override_are_proposed_too() -> None:
    one = minion({}, pillarenv="prod", pillar={"a": 1})
    made = list(Proposer([one], ["base", "prod"]).propose(one, GrainQuestions(), ()))
    assert [(change.what, change.value) for change in made] == [
        ("pillarenv", ABSENT),
        ("pillarenv", "base"),
        ("saltenv", "base"),
        ("saltenv", "prod"),
        ("pillar", ABSENT),
    ]
    assert made[0].apply(one).pillarenv is None
    assert made[-1].apply(one).pillar is None
