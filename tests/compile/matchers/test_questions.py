"""What the matchers ask: all that Salt's answer depends on, and no more."""

from typing import Any

import pytest
from tests.compile.matchers.minion import Minion

from pillarbook.compile.matchers import MatcherError, Subject, match_id, match_target
from pillarbook.compile.reads import Trace, View

GRAINS = {
    "os": "Debian",
    "roles": ["web"],
    "disks": {"sda": {"type": "ssd"}, "sdb": {"type": "hdd"}},
    "ipv4": ["10.0.0.1"],
}


def ask(target: str, matcher: str = "compound") -> tuple[bool, set[Any], list[Any]]:
    trace = Trace()
    minion = Minion(grains=View("grains", GRAINS, trace), nodegroups={"webs": "web* or N@none"})
    matched = match_target(target, matcher, minion)
    return matched, {question[1:] for question in trace.answers}, minion.asked


@pytest.mark.parametrize(
    ("target", "matcher", "matched", "questions"),
    [
        ("os:Debian", "grain", True, {("get", ("os",))}),
        ("os:Ubuntu", "grain", False, {("get", ("os",))}),
        ("os", "grain", False, set()),
        ("missing:x", "grain", False, {("get", ("missing",))}),
        ("roles:web", "grain", True, {("get", ("roles",))}),
        (
            "disks:sda:type:ssd",
            "grain",
            True,
            {
                ("get", ("disks",)),
                ("get", ("disks", "sda")),
                ("get", ("disks", "sda", "type")),
            },
        ),
        ("10.0.0.0/8", "ipcidr", True, {("get", ("ipv4",))}),
        ("::1", "ipcidr", False, {("get", ("ipv6",))}),
        ("10.0.0.1/8", "ipcidr", False, set()),
    ],
)
def test_grains_are_read_key_by_key(
    target: str, matcher: str, matched: bool, questions: set[Any]
) -> None:
    answer, asked, _ = ask(target, matcher)

    assert answer is matched
    assert asked == questions


def test_star_below_a_key_reads_the_keys() -> None:
    matched, asked, _ = ask("disks:*:type:hdd", "grain")

    assert matched
    assert ("keys", ("disks",)) in asked
    assert ("keys", ()) not in asked


def test_compound_asks_all_its_words() -> None:
    _, grains, ids = ask("web1 or G@os:Debian or E@db and not L@a,b")

    assert ids == [("glob", "web1"), ("pcre", "db"), ("list", "a,b")]
    assert grains == {("get", ("os",))}


@pytest.mark.parametrize(
    ("target", "asked"),
    [
        ("and web1", []),
        ("web1 and R@x and web2", [("glob", "web1")]),
        ("web1 web2", [("glob", "web1"), ("glob", "web2")]),
        ("( or web1 )", []),
        ("N@webs", [("glob", "web*")]),
        ("M@web.1", [("pcre", r"web\.1\Z")]),
    ],
)
def test_malformed_compound_asks_up_to_where_salt_gives_up(target: str, asked: list[Any]) -> None:
    assert ask(target)[2] == asked


def test_nodegroups_are_read_anew_for_each_subject() -> None:
    groups: dict[str, Any] = {"webs": "web1"}
    subject: Subject = Minion("web1", nodegroups=groups)
    assert match_target("N@webs", "compound", subject)

    groups["webs"] = ["web2"]

    assert not match_target("N@webs", "compound", subject)
    assert not match_target("webs", "nodegroup", subject)


def test_words_one_and_true_are_two() -> None:
    groups: dict[str, Any] = {"number": [1, "and"], "truth": [True, "and"]}
    subject = Minion(nodegroups=groups)

    with pytest.raises(MatcherError, match="'int'"):
        match_target("N@number", "compound", subject)
    with pytest.raises(MatcherError, match="'bool'"):
        match_target("N@truth", "compound", subject)


def test_addresses_that_nobody_declared_do_not_match() -> None:
    assert not match_target("0.0.0.0/0", "ipcidr", Minion(grains={"ipv4": None}))


@pytest.mark.parametrize(
    ("target", "matcher", "expected"),
    [
        (("web1", "web2"), "list", True),
        (("web", 1), "list", False),
        (b"web1", "list", False),
        (b"web1", "glob", False),
        (("os:Debian",), "grain", False),
        (["G@os:Debian", "and", "web*"], "compound", True),
        (b"\x0a\x00\x00\x01", "ipcidr", True),
        (167772161, "ipcidr", True),
    ],
)
def test_targets_of_python_top_files(target: Any, matcher: str, expected: bool) -> None:
    assert match_target(target, matcher, Minion(grains=GRAINS)) is expected


@pytest.mark.parametrize(
    ("target", "matcher", "words"),
    [
        (b"web1", "pcre", "TypeError"),
        (b"os:x", "grain", "TypeError"),
        ((":", "x"), "grain", "AttributeError: 'tuple' object has no attribute 'split'"),
        (("web1",), "compound", "AttributeError: 'tuple' object has no attribute 'pop'"),
        ("colour:blue", "data", "KeyError: 'data.getval'"),
        ("x", "magic", "KeyError: 'magic_match.match'"),
        ("web(", "pcre", "error: missing"),
        ("a{99999999999999}", "pcre", "OverflowError"),
    ],
)
def test_salt_breaks_off(target: Any, matcher: str, words: str) -> None:
    with pytest.raises(MatcherError) as failure:
        match_target(target, matcher, Minion(grains=GRAINS))

    assert str(failure.value).startswith(words)


@pytest.mark.parametrize(
    ("listed", "expected"),
    [("web1", True), ("a,web1", True), ("web1,a", True), ("a,web1,b", True), ("a, web1", False)],
)
def test_list_wants_no_blanks(listed: str, expected: bool) -> None:
    assert match_id("list", listed, "web1") is expected
