"""Verdicts part by part."""

import pytest
from tests.compile.matchers.minion import Minion

from pillarbook.compile.matchers import MatcherError, Verdict, explain_target

MINION = Minion(
    "web1",
    grains={"os": "Debian"},
    nodegroups={
        "webs": "web* and not web9",
        "ids": ["db1", "web1"],
        "front": "N@webs or N@ids",
        "two": "web1",
    },
)


def yes(text: str, *parts: Verdict, after: str = "") -> Verdict:
    return Verdict(text, True, parts, after)


def no(text: str, *parts: Verdict, after: str = "") -> Verdict:
    return Verdict(text, False, parts, after)


@pytest.mark.parametrize(
    ("target", "matcher", "expected"),
    [
        ("web*", "glob", yes("web*")),
        ("os:Rocky", "grain", no("os:Rocky")),
        ("web1", "compound", yes("web1", yes("web1"))),
        (
            "not db1 and ( G@os:Rocky or web1 )",
            "compound",
            yes(
                "not db1 and ( G@os:Rocky or web1 )",
                no("db1", after="not"),
                no("G@os:Rocky", after="and ("),
                yes("web1", after="or"),
            ),
        ),
        (
            "N@webs and G@os:Debian",
            "compound",
            yes(
                "N@webs and G@os:Debian",
                yes("N@webs", yes("web*"), no("web9", after="and not")),
                yes("G@os:Debian", after="and"),
            ),
        ),
        ("webs", "nodegroup", yes("webs", yes("web*"), no("web9", after="and not"))),
        (
            "N@two and not N@two",
            "compound",
            no(
                "N@two and not N@two",
                yes("N@two", yes("L@web1")),
                yes("N@two", yes("L@web1"), after="and not"),
            ),
        ),
        (
            "db1 or not N@webs",
            "compound",
            no(
                "db1 or not N@webs",
                no("db1"),
                yes("N@webs", yes("web*"), no("web9", after="and not"), after="or not"),
            ),
        ),
        (
            "front",
            "nodegroup",
            yes(
                "front",
                yes("web*", after="("),
                no("web9", after="and not"),
                yes("L@db1,web1", after=") or"),
            ),
        ),
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
