import re

import pytest

from pillarbook.supervise import timed_match
from pillarbook.supervise.timed_match import MANY_WAYS, TimedMatch


@pytest.fixture(autouse=True)
def _short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timed_match, "MATCH_SECONDS", 0.02)
    monkeypatch.setattr(timed_match, "ALL_SECONDS", 0.03)


def test_a_match_that_takes_too_long_is_stopped_and_later_ones_of_its_expression_too() -> None:
    timed = TimedMatch()
    evil, other = re.compile("(a+)+$"), re.compile("(b+)+")
    assert timed.finds(evil, "xaa")
    assert timed.fits(evil, "xaa") is False
    assert timed.finds(evil, "a" * 40 + "b") is None
    assert timed.finds(evil, "a" * 50 + "b") is None
    assert timed.finds(evil, "a") is None
    assert timed.finds(other, "a" * 40 + "b")


def test_finds_expressions_that_may_match_in_many_ways() -> None:
    quick = ["^AKIA[0-9A-Z]{16}$", "(?i)secret-", r"^\w+-[a-f0-9]{32}", "", "a|b", r"\(x\)"]
    slow = ["(a+)+", "(a|a)*b", "(ab){30}", ".*.*.*=", "a?a?a?a?b", "(a|b|c)(a|b)", "(a\n)+"]
    assert [bool(MANY_WAYS.search(one)) for one in quick] == [False] * len(quick)
    assert [bool(MANY_WAYS.search(one)) for one in slow] == [True] * len(slow)


def test_a_long_text_has_a_limit_whatever_the_expression() -> None:
    text = "a" * 5_000
    assert TimedMatch().finds(re.compile("a*a*b"), text) is None
