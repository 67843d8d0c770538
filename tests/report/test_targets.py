"""The page of all targets: what each gives, and to whom."""

from collections.abc import Sequence
from dataclasses import replace

from tests.report.environment import page_environment
from tests.report.reader import Reader
from tests.report.sample import SampleBook, filled

from pillarbook.redact.redacted_pillar import RedactedTarget
from pillarbook.report.addresses import ROWS
from pillarbook.report.report import Report

ALL = RedactedTarget("*", "glob", "base", "pillar/top.sls", 2, True, ("common",))
WEB = RedactedTarget("roles:web", "grain", "base", "pillar/top.sls", 3, True, ("web", "web.cdn"))
NONE = RedactedTarget("<x>", "glob", "prod", "pillar/prod/top.sls", 9, False, ("old",))


def pages_of(**targets: Sequence[RedactedTarget]) -> dict[str, Reader]:
    pillars = {
        name: replace(filled(name, {"a": 1}), targets=tuple(own)) for name, own in targets.items()
    }
    report = Report(SampleBook(pillars), page_environment())
    written = {page.uri: report.write(page) for page in report.pages}
    first = next(page for page in report.pages if page.kind == "targets")
    written |= {page.uri: report.write(page) for page in report.further(first)}
    return {uri: Reader(html) for uri, html in written.items() if uri.startswith("targets")}


def test_each_target_says_what_it_gives_and_to_whom() -> None:
    page = pages_of(a=[ALL, WEB], b=[ALL, replace(WEB, matched=False), NONE])["targets.html"]
    assert [row.replace("\n", "") for row in page.rows] == [
        "|Target|SLS|Minions|Who|Line",
        "|pillar/top.sls base",
        "|* glob|common|2|both minions|2",
        "|roles:web grain|web, web.cdn|1|a|3",
        "|pillar/prod/top.sls prod",
        "|<x> glob|old|0|no minion|9",
    ]
    assert "minions/a.html" in page.links
    assert "1 target matches no minion" in page.text


def test_a_target_with_an_sls_of_each_minions_own_has_one_row() -> None:
    own = {f"m{n:02}": [ALL, replace(ALL, line=9, sls=(f"host.m{n:02}",))] for n in range(12)}
    page = pages_of(**own)["targets.html"]
    listed = ", ".join(f"host.m{n:02}" for n in range(10))
    assert [row.replace("\n", "") for row in page.rows][2:] == [
        "|* glob|common|12|all 12 minions|2",
        f"|* glob|{listed} and 2 more|12|all 12 minions|9",
    ]
    assert "2 targets of the top files" in page.text


def test_a_fleet_without_targets_says_so() -> None:
    assert "No targets: no top file was read." in pages_of(a=[])["targets.html"].text


def test_a_long_list_is_split_and_its_parts_link_to_each_other() -> None:
    targets = [replace(WEB, line=number) for number in range(1, ROWS + 2)]
    pages = pages_of(a=targets)
    assert list(pages) == ["targets.html", "targets~2.html"]
    assert "targets~2.html" in pages["targets.html"].links
    assert "targets.html" in pages["targets~2.html"].links
    assert sum("roles:web" in row for page in pages.values() for row in page.rows) == ROWS + 1
