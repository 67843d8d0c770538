"""Minions are made up so that each target matches one."""

from typing import Any

import pytest

from pillarbook.bootstrap.guess_minions import GuessedFleet, NewMinion, TargetRequirement
from pillarbook.bootstrap.target_requirements import as_subject
from pillarbook.compile.matchers import match_target

GROUPS: dict[str, Any] = {
    "webs": "L@w1,w2 and G@tier:front",
    "all": "N@webs or db*",
    "list": ["web1", "web2"],
}
TARGETS: dict[str, tuple[str, str]] = {
    "everybody": ("*", "compound"),
    "an id": ("web1.example.com", "compound"),
    "a glob": ("web*", "glob"),
    "a glob in front": ("*.example.com", "compound"),
    "a glob around": ("*-prod-*", "compound"),
    "a class": ("web[0-9][13579]", "compound"),
    "a negated class": ("web[!0-9]", "compound"),
    "one sign": ("db?.ams", "compound"),
    "a list": ("a,b,c", "list"),
    "a regular expression": (r"^(web|db)-?\d{2}\.(ams|fra)$", "pcre"),
    "a grain": ("os:Debian", "grain"),
    "a list grain": ("roles:web", "grain"),
    "a nested grain": ("ec2:tags:role:web", "grain"),
    "a grain by expression": ("os:(Cent|Fedora).*", "grain_pcre"),
    "a nodegroup": ("webs", "nodegroup"),
    "a nodegroup of ids": ("list", "nodegroup"),
    "a nodegroup in a compound": ("N@all and not w1", "compound"),
    "a compound": ("G@os:Debian and web*", "compound"),
    "two grains": ("G@os:Debian and G@roles:web", "compound"),
    "two values of a list": ("G@roles:web and G@roles:db", "compound"),
    "negation": ("not G@os:Debian", "compound"),
    "much of it": ("( web* or E@^db\\d ) and P@os:(Debian|Ubuntu) and not L@web1,db1", "compound"),
    "another delimiter": ("G|@ec2|region|eu:west", "compound"),
    "the id as a grain": ("G@id:web7*", "compound"),
    "a network": ("S@10.1.2.0/24", "compound"),
    "a network of its own": ("10.1.0.0/16", "ipcidr"),
    "a small network": ("10.1.3.4/30", "ipcidr"),
    "two addresses": ("10.1.3.8/31", "ipcidr"),
    "an address": ("10.1.3.1", "ipcidr"),
    "a network of IPv6": ("S@2001:db8::/32 and G@os:Debian", "compound"),
    "an address of IPv6, written long": ("2001:db8:0:0:0:0:0:1", "ipcidr"),
}


def who_matches(fleet: GuessedFleet, target: tuple[str, str]) -> list[str]:
    return [
        one.id
        for one in fleet.minions.values()
        if match_target(target[0], target[1], as_subject(one.id, one.grains, GROUPS))
    ]


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_a_target_gets_a_minion(target: tuple[str, str]) -> None:
    fleet = GuessedFleet([], GROUPS)
    fleet.satisfy([TargetRequirement(*target, "top.sls", 1)])
    assert who_matches(fleet, target)


def test_all_targets_together_get_their_minions() -> None:
    fleet = GuessedFleet([], GROUPS)
    fleet.satisfy(
        [TargetRequirement(*target, "top.sls", at) for at, target in enumerate(TARGETS.values())]
    )
    assert [name for name, target in TARGETS.items() if not who_matches(fleet, target)] == []
    assert len(fleet.minions) < 3 * len(TARGETS)


IDS = {
    "web*": ["web1"],
    "*.example.com": ["minion1.example.com"],
    "L@a,b": ["a", "b"],
    "web* or db*": ["web1", "db1"],
    "roles:web": ["web1"],
    "S@10.1.2.0/24": ["ip-10-1-2-10-1"],
}


@pytest.mark.parametrize(("target", "ids"), IDS.items(), ids=IDS)
def test_ids_are_plausible(target: str, ids: list[str]) -> None:
    fleet = GuessedFleet([], {})
    fleet.satisfy(
        [
            TargetRequirement(
                target, "grain" if target.startswith("roles") else "compound", "top.sls", 1
            )
        ]
    )
    assert list(fleet.minions) == ids


def test_ids_have_the_domain_of_most_others() -> None:
    targets = ["web*.a.test", "db*.a.test", "x.other", "roles:web", "not *.test and G@os:Rocky"]
    fleet = GuessedFleet([], {})
    fleet.satisfy(
        [
            TargetRequirement(one, "grain" if one == "roles:web" else "compound", "t", at)
            for at, one in enumerate(targets)
        ]
    )
    assert list(fleet.minions) == ["x.other", "web1.a.test", "db1.a.test", "web2.a.test", "rocky1"]


def test_a_fitting_minion_gets_the_grain() -> None:
    fleet = GuessedFleet([], {})
    fleet.satisfy(
        [
            TargetRequirement("web*", "glob", "t", 1),
            TargetRequirement("web* and G@os:Debian", "compound", "t", 2),
        ]
    )
    assert {one.id: one.grains for one in fleet.minions.values()} == {"web1": {"os": "Debian"}}


def test_known_ids_stay_the_only_ones() -> None:
    fleet = GuessedFleet([NewMinion("one"), NewMinion("two")], {})
    fleet.satisfy(
        [
            TargetRequirement("roles:web", "grain", "t", 1),
            TargetRequirement("three", "compound", "t", 2),
        ]
    )
    assert list(fleet.minions) == ["one", "two"]
    assert fleet.minions["one"].grains == {"roles": ["web"]}
    assert not who_matches(fleet, ("three", "compound"))


@pytest.mark.parametrize(
    "target",
    [
        "E@(a+)+$",
        "E@(",
        "I@a:b",
        "G@a",
        "E@(?P<x>a)",
        "S@10.1.2.3/24",
        r"E@^web\\.*",
        1,
        None,
        "",
    ],
)
def test_what_cannot_be_guessed_is_said(target: Any) -> None:
    fleet, requirement = GuessedFleet([], {}), TargetRequirement(target, "compound", "t", 1)
    fleet.satisfy([requirement])
    assert not fleet._is_met(requirement)
