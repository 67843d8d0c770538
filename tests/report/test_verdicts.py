"""Why a minion gets what it gets."""

from dataclasses import replace

from tests.report.environment import page_environment
from tests.report.reader import Reader
from tests.report.sample import SampleBook, filled

from pillarbook.compare.pillars import Comparer
from pillarbook.redact.redacted_pillar import RedactedTarget, VerdictPart
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
    pages = pages or MinionPages(session, page_environment(), {})
    return pages.write("m", gather_sides(session, "m", Comparer())).html


def read(*targets: RedactedTarget) -> Reader:
    page = Reader(write(*targets))
    page.rows = page.rows[page.rows.index("|Target|Result|SLS|Set in") + 1 :]
    return page


def test_targets_that_match_come_first_and_the_others_say_what_they_would_give() -> None:
    rows = [row.strip() for row in read(WEB, ALL, GROUP).rows]
    assert rows[0] == "|Matches 1 target"
    assert rows[1] == "|* glob|matches|common|pillar/top.sls:9 base"
    assert rows[2] == "|Does not match 2 targets"
    assert rows[3] == "|roles:web grain|does not match|web, web.cdn|pillar/top.sls:3 base"


def test_words_of_a_compound_have_verdicts_those_of_a_nodegroup_below_it() -> None:
    page = read(GROUP)
    text = "N@front does not matchG@roles:web matchesG@os:<x> does not match"
    assert text in page.text
    assert "<ul><li" in write(GROUP)


def test_targets_that_minions_share_are_written_once() -> None:
    pages = MinionPages(SampleBook({}), page_environment(), {})
    assert write(WEB, ALL, pages=pages) == write(WEB, ALL, pages=pages)
    assert len(pages._targets._kept) == 2
    assert write(WEB, pages=pages) != write(replace(WEB, matched=True), pages=pages)


def test_a_minion_without_targets_has_no_rows() -> None:
    assert "target-table" not in write()
