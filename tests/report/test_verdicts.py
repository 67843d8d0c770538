"""Why a minion gets what it gets."""

from dataclasses import replace

import pytest
from tests.report.environment import page_environment
from tests.report.reader import Reader
from tests.report.sample import SampleBook, filled

from pillarbook.compare.pillars import Comparer
from pillarbook.redact.redacted_pillar import RedactedTarget, VerdictPart
from pillarbook.report.key_patterns import KeyPatterns
from pillarbook.report.minion import MinionPages
from pillarbook.report.sides import gather_sides

WEB = RedactedTarget("roles:web", "grain", "base", "pillar/top.sls", 3, False, ("web", "web.cdn"))
ALL = RedactedTarget("*", "glob", "base", "pillar/top.sls", 9, True, ("common",))
GROUP = RedactedTarget(
    "N@front and not G@os:<x>",
    "compound",
    "base",
    "pillar/top.sls",
    12,
    False,
    ("front",),
    (
        VerdictPart("N@front", False, (VerdictPart("G@roles:web", True),)),
        VerdictPart("G@os:<x>", False),
    ),
)


def write(*targets: RedactedTarget, pages: MinionPages | None = None) -> str:
    pillar = replace(filled("m", {"a": 1}), targets=targets)
    session = SampleBook({"m": pillar})
    pages = pages or MinionPages(session, page_environment(), {}, KeyPatterns(()))
    return pages.write("m", gather_sides(session, "m", Comparer())).content.html


def read(*targets: RedactedTarget) -> Reader:
    page = Reader(write(*targets))
    page.rows = page.rows[page.rows.index("|Target|SLS|Set in") + 1 :]
    return page


def test_targets_that_match_are_listed_by_top_file_and_the_others_counted() -> None:
    page = read(WEB, ALL, GROUP, replace(ALL, file="pillar/prod/top.sls", saltenv="prod", line=2))
    assert [row.strip() for row in page.rows[:4]] == [
        "|pillar/top.sls base",
        "|* glob|common|:9",
        "|pillar/prod/top.sls prod",
        "|* glob|common|:2",
    ]
    assert "2 more targets do not match it: all targets." in page.text
    assert "../targets.html" in page.links


def test_a_minion_that_no_target_matches_is_told_so() -> None:
    page = Reader(write(WEB))
    assert "1 more target does not match it" in page.text
    assert "|Target|SLS|Set in" not in page.rows


def test_words_of_a_compound_have_verdicts_those_of_a_nodegroup_below_it() -> None:
    page = read(replace(GROUP, matched=True))
    text = "N@front does not matchG@roles:web matchesG@os:<x> does not match"
    assert text in page.text
    assert "<ul><li" in write(replace(GROUP, matched=True))


@pytest.mark.parametrize(
    ("operators", "matched", "text"),
    [
        ("", False, "N@front does not match"),
        ("and", True, "and N@front matches"),
        ("not", False, "not N@front matches"),
        ("not", True, "not N@front does not match"),
        ("or not", False, "or not N@front matches"),
        ("and not (", False, "and not ( N@front does not match"),
    ],
)
def test_a_word_behind_not_has_the_verdict_of_both(
    operators: str, matched: bool, text: str
) -> None:
    parts = (VerdictPart("*", True), VerdictPart("N@front", matched, (), operators))
    assert f"* matches{text}" in read(replace(ALL, parts=parts)).text


def test_targets_that_minions_share_are_written_once() -> None:
    pages = MinionPages(SampleBook({}), page_environment(), {}, KeyPatterns(()))
    assert write(WEB, ALL, pages=pages) == write(WEB, ALL, pages=pages)
    assert len(pages._targets._kept) == 1
    assert write(ALL, pages=pages) != write(replace(ALL, line=10), pages=pages)


def test_a_minion_without_targets_has_no_rows() -> None:
    assert "No targets: no top file was read." in write()
