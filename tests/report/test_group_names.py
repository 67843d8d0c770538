"""What groups of minions are called."""

import random
import re
from collections.abc import Iterable

import pytest

from pillarbook.report.group_names import GroupName, GroupNames

WEB = [f"web{number}.ams" for number in range(1, 7)]
DB = [f"db{number}.hel" for number in range(1, 5)]
TAGS = {
    **{one: ("roles:web", "os:Debian", f"rack:{at % 2}") for at, one in enumerate(WEB)},
    **{one: ("roles:db", "os:Rocky", f"rack:{at % 2}") for at, one in enumerate(DB)},
    **{
        f"cache{at}.hel": ("roles:cache", "os:Rocky", "rack:2", *(["cores:8"] if at else []))
        for at in range(3)
    },
    "lonely": (),
}


def name(minions: Iterable[str]) -> str:
    names = GroupNames(TAGS)
    return describe(names.name(names.set_of(minions)))


def describe(found: GroupName) -> str:
    return found.write(lambda term: f"<{term}>", str)


CASES = {
    "one": (["lonely"], "lonely"),
    "all": (TAGS, "all 14 minions"),
    "a tag": (WEB, "all 6 of <roles:web>"),
    "two tags": (WEB[::2], "all 3 of <roles:web> and <rack:0>"),
    "a glob": ([*DB, "cache0.hel", "cache1.hel", "cache2.hel"], "all 7 of <os:Rocky>"),
    "either of two tags": ([*WEB, *DB], "all 10 of <roles:web> or <roles:db>"),
    "a number": (["cache1.hel", "cache2.hel"], "cache1.hel, cache2.hel"),
    "few": ([WEB[0], "lonely"], "web1.ams, lonely"),
    "a tag but one": (WEB[1:], "5 of <roles:web>, all except web1.ams"),
    "all but one": ([one for one in TAGS if one != WEB[2]], "all except web3.ams"),
    "all but a tag": (
        [one for one in TAGS if one not in WEB],
        "8 of 14 minions, all except the 6 of <roles:web>",
    ),
    "strangers": ([WEB[0], DB[1], "cache0.hel", "lonely"], "4 minions, such as web1.ams"),
}


@pytest.mark.parametrize(("minions", "told"), CASES.values(), ids=CASES)
def test_name(minions: Iterable[str], told: str) -> None:
    assert name(minions) == told


def test_a_glob_of_ids_names_what_no_tag_does() -> None:
    tags = {f"{kind}{number}.x": () for kind in ("a", "b") for number in range(5)}
    names = GroupNames(tags)
    group = [one for one in tags if one.startswith("b")]
    assert describe(names.name(names.set_of(group))) == "all 5 of <b*.x>"


def test_a_glob_is_one_that_a_person_would_write() -> None:
    """Not ``k*``, although ``k8s`` has a digit."""
    group = ["k8s-cp-1.x", *(f"k8s-node-{number}.x" for number in range(3))]
    names = GroupNames(dict.fromkeys([*group, "db1.x"], ()))
    assert describe(names.name(names.set_of(group))) == "all 4 of <k8s-*>"
    assert describe(names.name(names.set_of(group[1:]))) == "all 3 of <k8s-node-*.x>"


def test_a_large_part_of_a_tag_says_of_how_many() -> None:
    tags = {f"m{number:03}": ("os:Debian" if number < 80 else "os:Rocky",) for number in range(100)}
    names = GroupNames(tags)
    assert describe(names.name(names.set_of(list(tags)[:60]))) == "60 of the 80 of <os:Debian>"
    assert describe(names.name(names.set_of(list(tags)[:75]))) == "75 of the 80 of <os:Debian>"


def test_exceptions_that_are_not_named_are_counted() -> None:
    tags = {f"m{number:03}": () for number in range(100)}
    names = GroupNames(tags)
    assert describe(names.name(names.set_of(list(tags)[5:]))) == "95 of 100 minions"


def test_no_minion_is_no_part_of_a_tag() -> None:
    assert GroupNames({}).set_of(()) == 0


def test_a_name_means_the_group() -> None:
    for seed in range(40):
        dice = random.Random(seed)  # noqa: S311 (a test that is repeatable)
        tags = {
            f"{dice.choice('ab')}{number}.{dice.choice('xy')}": tuple(
                f"{key}:{dice.randrange(3)}" for key in "pqr"
            )
            for number in range(30)
        }
        names = GroupNames(tags)
        some = f"p:{dice.randrange(3)}", f"q:{dice.randrange(3)}"
        group = [one for one, own in tags.items() if set(some) & set(own)][: dice.randrange(2, 20)]
        found = names.name(names.set_of(group))
        means = all if found.join == "and" else any
        meant = [
            one
            for one, own in tags.items()
            if found.is_all or means(_has(one, own, term) for term in found.terms)
        ]
        if found.terms or found.is_all:
            assert set(group) <= set(meant), seed
            assert len(meant) - len(group) == found.exceptions, seed
        assert found.minions == len(group), seed


def _has(minion: str, tags: tuple[str, ...], term: str) -> bool:
    pattern = re.escape(term).replace(r"\*", ".*")
    return term in tags or re.fullmatch(pattern, minion) is not None
