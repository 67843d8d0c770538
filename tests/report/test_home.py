"""The home page: the fleet at a glance."""

import re
from dataclasses import replace

import pytest
from tests.report.environment import page_environment
from tests.report.reader import PLANTED, Reader, is_safe, planted_diagnostic
from tests.report.sample import fill_fleet, filled, sides_of
from tests.support.redacted import make_pillar

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.model import Position
from pillarbook.redact.redacted_pillar import Redacted
from pillarbook.report.about_report import AboutReport
from pillarbook.report.fleet_summary import FleetSummary
from pillarbook.report.group_links import GroupLinks
from pillarbook.report.home import write_home
from pillarbook.report.pictures import draw_bar
from pillarbook.report.source import EnvironmentSide

BASE = EnvironmentSide("base", is_pillarenv=True, has_top=True)
STAGING = EnvironmentSide("staging", is_pillarenv=True, has_top=True)
BARE = EnvironmentSide("bare", is_pillarenv=True, has_top=False)
FAULT = Diagnostic(
    code="missing-sls",
    severity=Severity.ERROR,
    message="The SLS x does not exist.",
    position=Position("pillar/base/top.sls", 10),
    minions=("m0", "m1", "m2", "m3"),
)


def home(fleet: FleetSummary, *diagnostics: Diagnostic) -> Reader:
    page = Reader(write_home(GroupLinks(fleet), diagnostics, page_environment()))
    assert is_safe(page)
    assert len(set(page.ids)) == len(page.ids)
    return page


def make_fleet(count: int, *, failing: int = 0) -> FleetSummary:
    sound = filled(
        "m", {"a": 1, "p": Redacted("gpg renderer", 1), "q": Redacted("gpg renderer", 1)}
    )
    staging = filled(
        "m", {"a": 2, "p": Redacted("gpg renderer", 1), "q": Redacted("gpg renderer", 1)}
    )
    broken = make_pillar("m", outcome="failed", raises="no")
    return fill_fleet(
        (
            sides_of(
                (BASE, STAGING, BARE),
                replace(broken if number < failing else sound, minion=f"m{number}"),
                replace(staging, minion=f"m{number}"),
                make_pillar(f"m{number}", outcome="empty"),
            ),
            {"os": "Debian", "roles": ["web", "db"][number % 2]},
        )
        for number in range(count)
    )


def test_a_small_fleet_is_listed_as_a_whole() -> None:
    page = home(make_fleet(3, failing=1), FAULT)
    assert page.row("|m1|") == "|m1|outcome:ok|-|roles:db os:Debian |3|0|2|0"
    assert {"minions/m0.html", "minions/m1.html", "minions/m2.html"} <= set(page.links)


def test_outcomes_lead_to_the_minions() -> None:
    page = home(make_fleet(3, failing=1))
    for word in ("ok", "partial", "failed", "empty"):
        assert f"minions/index.html?q=outcome:{word}" in page.links


@pytest.mark.parametrize(
    ("guessed", "words"),
    [(1, "1 of 3 minions is"), (2, "2 of 3 minions are"), (3, "All 3 minions are")],
)
def test_guessed_minions_are_told_until_they_are_confirmed(guessed: int, words: str) -> None:
    groups, templates = GroupLinks(make_fleet(3)), page_environment()
    abouts = [AboutReport(commit=None, time="", guessed=number) for number in (guessed, 0)]
    pages = [Reader(write_home(groups, (), templates, None, about)) for about in abouts]
    assert f"{words} guessed" in pages[0].text
    assert "guessed" not in pages[1].text


def test_secrets_are_counted_once_and_altogether() -> None:
    assert re.search(r"Secrets\s*4 on all minions together, 1 different", home(make_fleet(2)).text)


def test_diagnostics_are_counted_by_severity_and_by_rule() -> None:
    note = Diagnostic(code="unused-sls", severity=Severity.NOTE, message="Nobody gets it.")
    page = home(make_fleet(4), FAULT, note, replace(note, message="Nobody gets y."))
    assert "diagnostics.html#RULE-missing-sls" in page.links
    assert "unused-sls 2" in page.text
    assert page.row("does not exist") == (
        "|error|The SLS x does not exist.|pillar/base/top.sls:10|all 4 minions"
    )


def test_what_is_broken_comes_before_the_numbers() -> None:
    page = home(make_fleet(4), FAULT)
    assert page.ids.index("fleet.broken") < page.ids.index("fleet.overview")
    assert "1 error" in page.text
    assert "0 warnings" not in page.text


def test_warnings_are_listed_only_beside_few_errors() -> None:
    warning = replace(FAULT, severity=Severity.WARNING, message="Warning 0.")
    warnings = [
        replace(warning, code=f"rule-{number}", message=f"Warning {number}.") for number in range(9)
    ]
    errors = [replace(FAULT, message=f"Error {number}.") for number in range(7)]
    assert sum("Warning" in row for row in home(make_fleet(4), *errors[:3], *warnings).rows) == 2
    assert not any("Warning" in row for row in home(make_fleet(4), *errors, warning).rows)


@pytest.mark.parametrize(
    ("length", "shown"),
    [
        (1, "n1, n2, n3"),
        (100, f"n1{'x' * 99}, n2{'x' * 99} and 1 more"),
        (300, f"n1{'x' * 299} and 2 more"),
    ],
)
def test_long_names_are_counted_early(length: int, shown: str) -> None:
    warning = replace(FAULT, severity=Severity.WARNING, code="plain-secret")
    faults = [
        replace(warning, message=f"possible: '{name}'", position=Position("top.sls", line))
        for line, name in enumerate((f"n{number}" + "x" * (length - 1) for number in (1, 2, 3)), 1)
    ]
    row = home(make_fleet(4), *faults).row("3 possible plain-text secrets")
    assert shown in row
    assert "|top.sls:1 and 2 more|" in row


def test_a_message_of_very_many_names_is_cut_after_a_name() -> None:
    names = [f"state{number}" for number in range(130)]
    row = home(make_fleet(4), replace(FAULT, message=f"130 are missing: {', '.join(names)}")).row(
        "130 are missing"
    )
    assert ", state24, …|" in row
    assert len(row) < 300


@pytest.mark.parametrize(
    "code", ["missing-repository", "needs-trust", "unavailable-ext-pillar", "unknown-name"]
)
def test_what_makes_the_report_incomplete_comes_first(code: str) -> None:
    lacking = replace(FAULT, code=code, severity=Severity.NOTE, message="Unknown.", minions=("m0",))
    errors = [replace(FAULT, message=f"The SLS x{at} does not exist.") for at in range(40)]
    shown = home(make_fleet(4), *errors, lacking).row("Unknown.")
    assert shown.startswith("|note|Unknown.")


def test_only_the_worst_diagnostics_are_listed() -> None:
    page = home(
        make_fleet(4), *(replace(FAULT, message=f"SLS x{n} does not exist.") for n in range(40))
    )
    assert "The first 10 of 40 rows; similar findings share a row. By rule:" in page.text
    assert sum("does not exist" in row for row in page.rows) == 10


def test_the_worst_come_first_and_then_those_of_most_minions() -> None:
    warnings = [
        replace(
            FAULT,
            code=f"rule-{count}",
            severity=Severity.WARNING,
            message=f"{count} minions.",
            minions=tuple(f"m{number}" for number in range(count)),
        )
        for count in (1, 3, 2)
    ]
    rows = [row for row in home(make_fleet(4), *warnings, FAULT).rows if "top.sls:10" in row]
    assert [row.split("|")[2].strip() for row in rows if "top.sls" in row] == [
        "The SLS x does not exist.",
        "3 minions.",
        "2 minions.",
        "1 minions.",
    ]


def test_a_large_fleet_lists_what_is_not_ok() -> None:
    page = home(make_fleet(60, failing=30))
    assert page.row("m19").startswith("|m19|outcome:failed|")
    assert not any(row.startswith("|m20") for row in page.rows)
    assert "Minions that are not ok" in page.text
    assert "The first 20 of 30. All 60 minions" in page.text
    assert "Minions that are not ok" not in home(make_fleet(60)).text


def test_environments_stand_side_by_side() -> None:
    page = home(make_fleet(4, failing=1))
    assert page.row("|base\n").startswith("|base|Outcomes in base: 3 ok, 1 failed")
    assert "3 different, 1 failing only in base; 1 key differs" in page.row("|staging\n")
    assert "no top file: not compared" in page.row("|bare\n")
    assert "environments/base--staging.html" in page.links
    assert "Outcomes in base: 3 ok, 1 failed" in page.said


def test_one_environment_makes_no_picture() -> None:
    fleet = fill_fleet([(sides_of((), filled("m", {"a": 1})), {})])
    page = home(fleet)
    assert "svg" not in page.tags
    assert "fleet.environments" not in page.ids


def test_a_clean_fleet_and_an_empty_one() -> None:
    assert "No errors, warnings or notes." in home(make_fleet(1)).text
    assert "The inventory has no minions." in home(fill_fleet([])).text


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_many_minions_take_less_than_100_kilobytes(count: int) -> None:
    fleet = make_fleet(count, failing=count // 2)
    faults = [
        replace(FAULT, code=f"rule-{number % 80}", message="m" * 300, minions=tuple(fleet.minions))
        for number in range(3000)
    ]
    assert len(write_home(GroupLinks(fleet), faults, page_environment()).encode()) < 100_000


@pytest.mark.parametrize(
    ("counts", "widths"),
    [
        ([("ok", 3), ("failed", 1)], [750, 250]),
        ([("ok", 9_999), ("partial", 0), ("failed", 1)], [994, 6]),
        ([("ok", 0)], []),
    ],
    ids=["in proportion", "seen though small", "nothing"],
)
def test_a_bar_is_as_long_as_its_counts(counts: list[tuple[str, int]], widths: list[int]) -> None:
    bar = draw_bar(counts, "Outcomes")
    assert [width for _, _, _, width in bar.parts] == widths


def test_planted_markup_stays_text() -> None:
    sides = [
        EnvironmentSide(f"{number}{PLANTED}", is_pillarenv=True, has_top=number < 2)
        for number in range(3)
    ]
    one = filled(PLANTED, {PLANTED: PLANTED}, PLANTED, pillarenv=PLANTED)
    fleet = fill_fleet([(sides_of(sides, one, one, one), {"os": "Debian", "roles": PLANTED[:40]})])
    fault = planted_diagnostic()
    page = home(fleet, fault)
    assert page.text.count("<script>alert(1)</script>") >= 13
    assert sum("<script>" in said for said in page.said) >= 3
