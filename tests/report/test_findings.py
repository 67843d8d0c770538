"""What is wrong with one minion."""

from typing import Any

import pytest
from tests.report.sample import leaf

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.model import Position
from pillarbook.report.finding_rows import MAX_COUNT, MAX_PLACES, write_findings
from pillarbook.report.key_patterns import KeyPatterns
from pillarbook.report.rows import Rows, sections_by_key

SECTIONS = sections_by_key(
    Rows(str, KeyPatterns(())).sections([leaf(("a", "x"), 1), leaf(("a", "y"), 2)])
)


def fault(number: int, severity: Severity = Severity.NOTE, **changes: Any) -> Diagnostic:
    fields: dict[str, Any] = {"code": "lost-scalar", "message": f"m{number}", "help": "do this"}
    return Diagnostic(severity=severity, **(fields | changes))


def test_a_diagnostic_has_its_key_its_places_and_its_remedy() -> None:
    places: dict[str, Any] = {"position": Position("a.sls", 3), "related": (Position("b.sls"),)}
    (found,) = write_findings([fault(1, path=("a", "x"), **places)], SECTIONS)
    assert found.message == "m1"
    assert found.subjects == ((("a", "x"), "k-a.x"),)
    assert found.places == (Position("a.sls", 3), Position("b.sls"))
    assert found.help == "do this"


def test_a_key_without_a_row_is_no_link() -> None:
    (found,) = write_findings([fault(1, path=("<b>", 1))], SECTIONS)
    assert found.subjects == ((("<b>", 1), None),)


@pytest.mark.parametrize("severity", Severity)
def test_many_of_one_rule_are_told_as_one(severity: Severity) -> None:
    faults = [fault(number, severity, path=("a", "x")) for number in range(MAX_COUNT[severity])]
    assert len(write_findings(faults, SECTIONS)) == MAX_COUNT[severity]
    more = [*faults, fault(99, severity, path=("a", "y")), fault(0, severity, code="other")]
    found, other = write_findings(more, SECTIONS)
    times = MAX_COUNT[severity] + 1
    assert found.message == f"{times} values that another SLS silently replaces:"
    assert found.subjects == ((("a", "x"), "k-a.x"), (("a", "y"), "k-a.y"))
    assert found.help == "do this"
    assert other.code == "other"


def test_of_very_many_places_some_are_named() -> None:
    faults = [
        fault(number, code="unknown", position=Position(f"f{number}.sls", 1), help=str(number))
        for number in range(MAX_PLACES + 7)
    ]
    (found,) = write_findings(faults, {})
    assert found.message == f"{MAX_PLACES + 7} times: m0:"
    assert found.subjects[-1] == Position(f"f{MAX_PLACES - 1}.sls", 1)
    assert (len(found.subjects), found.more) == (MAX_PLACES, 7)
    assert found.help is None
