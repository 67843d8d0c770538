"""Targets that a minion could meet by setting its grains, against what matching itself says."""

from collections.abc import Iterator, Mapping
from itertools import chain, combinations
from typing import Any

from tests.compile.matchers.minion import Minion

from pillarbook.compile.matchers import MatcherError, match_target
from pillarbook.compile.matchers.forging import UNTOLD, Forgery, find_forgery

GROUPS: Mapping[str, Any] = {
    "ids": "L@web1,db1",
    "bare": ["web1", "db1"],
    "debian": "G@os:Debian",
    "webs": "web* and N@debian",
    "nested": ["N@ids", "or", "N@debian"],
    "loop": "N@loop or G@os:Debian",
}
ALL = ""
CASES: dict[str, tuple[str, str, tuple[str, ...] | None, str]] = {
    # name: target, matcher, grains that a minion would set (None: no way), who could
    "glob": ("web*", "glob", None, ALL),
    "everybody": ("*", "glob", None, ALL),
    "list": ("web1,db1", "list", None, ALL),
    "pcre": ("web.*", "pcre", None, ALL),
    "managing minion": ("web1", "managing_minion", None, ALL),
    "pillar": ("role:db", "pillar", None, ALL),
    "pillar_exact": ("role:db", "pillar_exact", None, ALL),
    "pillar_pcre": ("role:d.", "pillar_pcre", None, ALL),
    "grain": ("os:Debian", "grain", ("os",), ALL),
    "grain, nested": ("ec2:tags:role", "grain", ("ec2",), ALL),
    "grain, any value": ("roles:*", "grain", ("roles",), ALL),
    "grain, any at all": ("*:db", "grain", ("*",), ALL),
    "grain id": ("id:web1", "grain", None, ALL),
    "grain like id": ("id2:web1", "grain", ("id2",), ALL),
    "grain that is none": ("Debian", "grain", None, ALL),
    "grain_pcre": ("os:(Debian|Ubuntu)", "grain_pcre", ("os",), ALL),
    "grain_pcre id": ("id:web[12]", "grain_pcre", None, ALL),
    "address": ("10.0.0.1", "ipcidr", ("ipv4",), ALL),
    "network": ("10.0.0.0/8", "ipcidr", ("ipv4",), ALL),
    "network of IPv6": ("fd00::/8", "ipcidr", ("ipv6",), ALL),
    "network that is none": ("10.0.0.1/8", "ipcidr", None, ALL),
    "range": ("%web", "range", None, ALL),
    "compound of a glob": ("web*", "compound", None, ALL),
    "compound of a grain": ("G@os:Debian", "compound", ("os",), ALL),
    "compound, own delimiter": ("G|@ec2|tags|x", "compound", ("ec2",), ALL),
    "compound, other delimiter": ("G|@os:Debian", "compound", None, ALL),
    "P": ("P@os:D.*", "compound", ("os",), ALL),
    "S": ("S@10.0.0.0/8", "compound", ("ipv4",), ALL),
    "G@id": ("G@id:web1 or L@db1", "compound", None, ALL),
    "not a grain": ("not G@tier:shared", "compound", ("tier",), ALL),
    "two grains": ("G@os:Debian and G@roles:db", "compound", ("os", "roles"), ALL),
    "two values of one": ("G@os:Debian or G@os:Rocky", "compound", ("os",), ALL),
    "a grain and its opposite": ("G@os:Debian and not G@os:Debian", "compound", None, ALL),
    "a grain or its opposite": ("G@os:Debian or not G@os:Debian", "compound", None, ALL),
    "everybody and a grain": ("* and G@os:Debian", "compound", ("os",), ALL),
    "everybody or a grain": ("* or G@os:Debian", "compound", None, ALL),
    "id and a grain": ("web1* and G@os:Debian", "compound", ("os",), "`web1*`"),
    "id and no grain": ("db* and not G@os:Debian", "compound", ("os",), "`db*`"),
    "not an id": ("G@os:Debian and not db*", "compound", ("os",), "not `db*`"),
    "id or a grain": ("db* or G@os:Debian", "compound", ("os",), ALL),
    "ids and a grain": (
        "( web* or L@db1,db2 ) and G@os:Debian",
        "compound",
        ("os",),
        "`web*` or `L@db1,db2`",
    ),
    "two conditions": ("web* and E@.*1 and P@os:D", "compound", ("os",), "`web*` and `E@.*1`"),
    "part of the ids": ("web* and not web2 and G@os:x", "compound", ("os",), "`web*` and not `web2`"),
    "one side only": ("web* or ( db* and G@os:Debian )", "compound", ("os",), "`db*`"),
    "pillar and a grain": ("I@role:db and G@os:Debian", "compound", ("os",), "`I@role:db`"),
    "ids that exclude each other": ("web* and db1 and G@os:x", "compound", None, ALL),
    "one of two names": ("( web1 or web2 ) and G@os:x", "compound", ("os",), "`web1` or `web2`"),
    "a name and a list": ("web1 and L@web1,db1 and G@os:x", "compound", ("os",), "`web1`"),
    "a dead word": ("T@x and G@os:Debian", "compound", None, ALL),
    "or a dead word": ("R@x or G@os:Debian", "compound", None, ALL),
    "malformed": ("G@os:Debian and", "compound", None, ALL),
    "nodegroup of ids": ("ids", "nodegroup", None, ALL),
    "nodegroup of names": ("bare", "nodegroup", None, ALL),
    "nodegroup of a grain": ("debian", "nodegroup", ("os",), ALL),
    "nodegroup of both": ("webs", "nodegroup", ("os",), "`web*`"),
    "nodegroup in a compound": ("N@ids and G@roles:db", "compound", ("roles",), "`L@web1,db1`"),
    "nodegroup of nodegroups": ("N@nested", "compound", ("os",), ALL),
    "nodegroup of itself": ("N@loop", "compound", None, ALL),
    "no such nodegroup": ("N@none", "compound", None, ALL),
}  # fmt: skip


def test_how_a_target_is_forged() -> None:
    for target, matcher, grains, only in CASES.values():
        found = find_forgery(target, matcher, GROUPS)
        if grains is None:
            assert found is None, (target, matcher)
        else:
            assert found is not None, (target, matcher)
            assert found.grains == grains, (target, matcher)
            assert found.only == only, (target, matcher)


IDS = ("web1", "web2", "web10", "db1", "db2", "mail1")
PILLARS: tuple[Mapping[str, Any], ...] = ({}, {"role": "db"})
VALUES = {
    "os": ("Debian", "Rocky", "x"),
    "roles": ("db",),
    "tier": ("shared",),
    "id2": ("web1",),
    "ec2": ({"tags": {"role": 1, "x": 1}},),
    "ipv4": ("10.0.0.1",),
    "ipv6": ("fd00::1",),
    "any": ("db",),
}


def grain_sets() -> Iterator[Mapping[str, Any]]:
    """Yield what a minion may say of itself: each choice of values, of one grain at a time or all."""
    for name, values in VALUES.items():
        sizes = (combinations(values, size) for size in range(len(values) + 1))
        for chosen in chain.from_iterable(sizes):
            yield {name: chosen[0] if len(chosen) == 1 else list(chosen)}
    yield {name: list(values) for name, values in VALUES.items()}
    yield {"os": "Debian", "roles": "db"}


def is_open(target: str, matcher: str, minion: str, pillar: Mapping[str, Any]) -> bool:
    """Say whether it makes a difference to a minion what it says of itself."""
    verdicts = set()
    for grains in grain_sets():
        subject = Minion(minion, {**grains, "id": minion}, pillar, GROUPS)
        try:
            verdicts.add(match_target(target, matcher, subject))
        except MatcherError:
            verdicts.add(False)
    return len(verdicts) > 1


def test_matching_says_the_same() -> None:
    for target, matcher, *_ in CASES.values():
        told = find_forgery(target, matcher, GROUPS)
        found = {
            (minion, number)
            for minion in IDS
            for number, pillar in enumerate(PILLARS)
            if is_open(target, matcher, minion, pillar)
        }
        assert bool(found) == (told is not None), (target, matcher)
        if told is not None and told.only and told.only != UNTOLD:
            condition = told.only.replace("`", "")
            meant = {
                (minion, number)
                for minion in IDS
                for number, pillar in enumerate(PILLARS)
                if match_target(condition, "compound", Minion(minion, {}, pillar, GROUPS))
            }
            assert found <= meant, (target, matcher)


def test_a_target_of_many_words_counts_as_open() -> None:
    words = [f"web{number}" for number in range(20)]
    target = f"( {' or '.join(words)} ) and G@os:Debian"
    assert find_forgery(target, "compound", {}) == Forgery(("os",), "")
    assert find_forgery(" or ".join(words), "compound", {}) is None


def test_a_condition_that_is_no_list_of_words() -> None:
    target = "( ( a* and not b* ) or ( b* and not a* ) ) and G@os:Debian"
    found = find_forgery(target, "compound", {})
    assert found == Forgery(("os",), UNTOLD)
