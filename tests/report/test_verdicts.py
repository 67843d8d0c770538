"""Why a minion gets what it gets."""

from dataclasses import replace

from tests.report.reader import Reader

from pillarbook.redact.redacted_pillar import RedactedTarget, VerdictPart
from pillarbook.report.verdicts import Verdicts

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


def read(*targets: RedactedTarget) -> Reader:
    return Reader(f"<table>{Verdicts().write(targets)}</table>")


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
    assert "<ul><li" in Verdicts().write([GROUP])


def test_targets_that_minions_share_are_written_once() -> None:
    verdicts = Verdicts()
    assert verdicts.write((WEB, ALL)) == verdicts.write((WEB, ALL))
    assert len(verdicts._rows) == 2
    assert verdicts.write((WEB,)) != verdicts.write((replace(WEB, matched=True),))


def test_a_minion_without_targets_has_no_rows() -> None:
    assert Verdicts().write(()) == ""
