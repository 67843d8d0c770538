"""Grains of the command line, with the types of the inventory."""

import copy
from typing import Any

import pytest

from pillarbook.inventory.asked_grains import AskedGrain, AskedGrains

FLEET: list[dict[str, Any]] = [
    {"roles": ["db"], "osrelease": "12", "ec2": {"region": "us", "zone": "a"}, "disks": [1, 2]},
    {"os": "Debian", "cpus": 4},
]
ROWS: list[tuple[str, list[tuple[str, str]], dict[str, Any]]] = [
    ("text", [("tier", "prod")], {"tier": "prod"}),
    ("a list elsewhere in the fleet", [("roles", "web")], {"roles": ["web"]}),
    ("a key twice", [("tier", "a"), ("tier", "b")], {"tier": ["a", "b"]}),
    ("a list twice", [("roles", "a"), ("roles", "b")], {"roles": ["a", "b"]}),
    ("JSON", [("a", '["x"]'), ("b", "4"), ("c", "true")], {"a": ["x"], "b": 4, "c": True}),
    ("no float", [("release", "12.10")], {"release": "12.10"}),
    ("text elsewhere in the fleet", [("osrelease", "12")], {"osrelease": "12"}),
    ("quoted", [("release", '"12"')], {"release": "12"}),
    ("members that are text", [("roles", "7")], {"roles": ["7"]}),
    ("members that are numbers", [("disks", "7")], {"disks": [7]}),
    ("below a key", [("ec2:region", "eu")], {"ec2": {"region": "eu"}}),
    ("added to nothing", [("roles+", "web")], {"roles": ["web"]}),
    ("added to text", [("os+", "x")], {"os": ["Debian", "x"]}),
]


def asked(rows: list[tuple[str, str]]) -> list[AskedGrain]:
    return [
        AskedGrain(tuple(key.removesuffix("+").split(":")), text, key.endswith("+"))
        for key, text in rows
    ]


@pytest.mark.parametrize(
    ("given", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_a_grain_has_the_type_of_the_inventory(
    given: list[tuple[str, str]], expected: dict[str, Any]
) -> None:
    assert AskedGrains(asked(given), FLEET).set_over(FLEET[1]) == {**FLEET[1], **expected}


def test_other_grains_and_other_minions_stay() -> None:
    before = copy.deepcopy(FLEET)
    given = asked([("ec2:region", "eu"), ("roles+", "web")])
    changed = AskedGrains(given, FLEET).set_over(FLEET[0])
    assert changed["ec2"] == {"region": "eu", "zone": "a"}
    assert changed["roles"] == ["db", "web"]
    assert before == FLEET
