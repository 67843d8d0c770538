"""The page of all diagnostics."""

from dataclasses import replace

from tests.report.environment import page_environment
from tests.report.reader import PLANTED, Reader, is_safe, planted_diagnostic
from tests.report.test_home import make_fleet

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.diagnostics.rules import RULES
from pillarbook.model import Position
from pillarbook.report.diagnostics import count_rules, write_diagnostics
from pillarbook.report.group_links import GroupLinks

ERROR = Diagnostic(
    code="missing-sls",
    severity=Severity.ERROR,
    message="The SLS x does not exist.",
    position=Position("pillar/base/top.sls", 10),
    path=("a", "b"),
    minions=tuple(f"m{number}" for number in range(12)),
    help="Write it.",
    related=(Position("pillar/base/x.sls"),),
)
NOTE = Diagnostic(code="unused-sls", severity=Severity.NOTE, message="Nobody gets it.")


def page_of(*diagnostics: Diagnostic, guide: dict[str, str] | None = None) -> Reader:
    groups = GroupLinks(make_fleet(12))
    page = Reader(write_diagnostics(diagnostics, groups, guide or {}, page_environment()))
    assert is_safe(page)
    assert len(set(page.ids)) == len(page.ids)
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)
    return page


def test_a_diagnostic_is_a_row_under_its_rule() -> None:
    page = page_of(ERROR, NOTE)
    title = RULES["missing-sls"].title
    assert page.row("missing-sls error") == f"|missing-sls error 1: {title}"
    assert page.row("The SLS x") == (
        "|The SLS x does not exist. a:bWrite it. missing-sls severity:error"
        "|pillar/base/top.sls:10also pillar/base/x.sls"
        "|all 12 minions"
    )
    assert {"RULE-missing-sls", "RULE-unused-sls"} <= set(page.ids)


def test_a_few_minions_are_listed() -> None:
    page = page_of(replace(ERROR, minions=("m0", "m1")))
    assert page.row("The SLS x").endswith("|m0, m1")
    assert "minions/m1.html" in page.links


def test_a_remedy_that_findings_share_stands_once() -> None:
    shared = [replace(ERROR, message=f"SLS x{number}.") for number in range(3)]
    page = page_of(*shared, replace(ERROR, message="SLS y.", help="Write the other."))
    assert page.text.count("Write it.") == 1
    assert "Write it." in page.row("missing-sls error")
    assert "Write the other." in page.row("SLS y.")


def test_rules_come_worst_first_and_then_by_count() -> None:
    other = replace(ERROR, code="yaml-error")
    codes = [rule.code for rule in count_rules([NOTE, NOTE, NOTE, ERROR, other, other])]
    assert codes == ["yaml-error", "missing-sls", "unused-sls"]


def test_a_rule_that_nobody_describes_is_shown_all_the_same() -> None:
    page = page_of(replace(NOTE, code="brand-new"))
    assert page.row("brand-new note") == "|brand-new note 1"


def test_the_guide_is_linked_where_there_is_one() -> None:
    page = page_of(ERROR, NOTE, guide={"missing-sls": "rules/missing-sls.html"})
    assert page.links.count("rules/missing-sls.html") == 2
    assert not any("unused-sls.html" in link for link in page.links)


def test_code_in_a_rules_title_is_code() -> None:
    page = page_of(replace(NOTE, code="missing-include"))
    assert "`" not in page.text
    assert "include" in page.row("missing-include note")


def test_a_thousand_are_shown_and_the_worst_first() -> None:
    notes = [replace(NOTE, message=f"Note {number}.") for number in range(1500)]
    page = page_of(ERROR, *notes)
    assert "The 1,000 most severe of 1,501" in page.text
    assert "pillarbook check" in page.text
    assert "The SLS x does not exist." in page.text
    assert "the first 999 are shown" in page.row("unused-sls note 1,500")
    assert "Note 999." not in page.text


def test_nothing_to_report() -> None:
    assert "No errors, warnings or notes." in page_of().text


def test_planted_markup_stays_text() -> None:
    fault = planted_diagnostic()
    page = page_of(fault, guide={PLANTED: "rules/x.html"})
    assert page.text.count("<script>alert(1)</script>") >= 9
    assert page.text.count("{{ 7*7 }}") >= 9
