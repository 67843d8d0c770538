"""Verdicts part by part."""

import pytest
from tests.compile.matchers.minion import Minion

from pillarbook.compile.matchers import MatcherError, Verdict, explain_target

MINION = Minion(
    "web1",
    grains={"os": "Debian"},
    nodegroups={"webs": "web* and not web9", "ids": ["db1", "web1"], "front": "N@webs or N@ids"},
)


def yes(text: str, *parts: Verdict) -> Verdict:
    return Verdict(text, True, parts)


def no(text: str, *parts: Verdict) -> Verdict:
    return Verdict(text, False, parts)


@pytest.mark.parametrize(
    ("target", "matcher", "expected"),
    [
        ("web*", "glob", yes("web*")),
        ("os:Rocky", "grain", no("os:Rocky")),
        ("web1", "compound", yes("web1", yes("web1"))),
        (
            "not db1 and ( G@os:Rocky or web1 )",
            "compound",
            yes("not db1 and ( G@os:Rocky or web1 )", no("db1"), no("G@os:Rocky"), yes("web1")),
        ),
        (
            "N@webs and G@os:Debian",
            "compound",
            yes(
                "N@webs and G@os:Debian",
                yes("N@webs", yes("web*"), no("web9")),
                yes("G@os:Debian"),
            ),
        ),
        ("webs", "nodegroup", yes("webs", yes("web*"), no("web9"))),
        ("front", "nodegroup", yes("front", yes("web*"), no("web9"), yes("L@db1,web1"))),
        ("nowhere", "nodegroup", no("nowhere")),
        ("web1 web1", "compound", no("web1 web1", yes("web1"), yes("web1"))),
        ("web1 and R@x and db", "compound", no("web1 and R@x and db", yes("web1"))),
        (7, "compound", no("7")),
    ],
)
def test_verdict_of_each_part(target: str, matcher: str, expected: Verdict) -> None:
    assert explain_target(target, matcher, MINION) == expected


def test_explanation_breaks_off_where_matching_does() -> None:
    with pytest.raises(MatcherError):
        explain_target("web1 or E@web(", "compound", MINION)
