"""JUnit reports: what fails, what passes, and what GitLab tells apart."""

from xml.etree import ElementTree as ET

import pytest
from tests.diagnostics.formats.found import HOSTILE, PLACES, diagnose, printable, read_xml

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.diagnostics.formats.junit import to_junit

ALL = [
    diagnose(minions=["web1"], remedy="put it right"),
    diagnose("it is odd", "web.sls", code="plain-secret", severity=Severity.WARNING),
    diagnose("it is odd, too", None, code="plain-secret", severity=Severity.WARNING),
    diagnose("it is so", code="lost-scalar", severity=Severity.NOTE),
]


def test_a_suite_a_rule_and_a_case_a_finding() -> None:
    suites = list(read(ALL))
    assert [suite.attrib for suite in suites] == [
        _counts("missing-sls", 1, 1),
        _counts("plain-secret", 2, 0),
        _counts("lost-scalar", 1, 0),
    ]
    assert [[case.attrib for case in suite.iter("testcase")] for suite in suites[:2]] == [
        [_case("missing-sls", "salt/top.sls", "it is wrong")],
        [
            _case("plain-secret", "salt/web.sls", "it is odd"),
            _case("plain-secret", "salt/master", "it is odd, too"),
        ],
    ]
    assert [one.attrib for one in suites[0].iter("property")] == [
        {"name": "finds", "value": "an SLS that does not exist"}
    ]


def test_a_failure_says_where_and_what_to_do() -> None:
    (failure,) = read(ALL).iter("failure")
    assert failure.attrib == {"message": "it is wrong", "type": "error"}
    assert failure.text == (
        "top.sls:4: error: it is wrong [missing-sls]\n    on web1\n    put it right"
    )


@pytest.mark.parametrize(
    ("fail_on", "failing", "passing"),
    [(Severity.ERROR, 1, 3), (Severity.WARNING, 3, 1), (Severity.NOTE, 4, 0)],
    ids=str,
)
def test_what_is_bad_enough_fails(fail_on: Severity, failing: int, passing: int) -> None:
    report = read(ALL, fail_on)
    assert len(list(report.iter("failure"))) == failing
    assert len(list(report.iter("system-out"))) == passing
    assert sum(int(suite.attrib["failures"]) for suite in report) == failing


def test_nothing_found_is_one_case_that_passes() -> None:
    report = read([])
    assert [suite.attrib for suite in report] == [_counts("pillarbook", 1, 0)]
    assert [len(case) for case in report.iter("testcase")] == [0]


def test_equal_findings_have_names_of_their_own() -> None:
    found = [diagnose(line=line) for line in (1, 2, 3)] + [diagnose("it is wrong (2)", line=4)]
    names = [case.attrib["name"] for case in read(found).iter("testcase")]
    assert names == [
        "salt/top.sls: it is wrong",
        "salt/top.sls: it is wrong (2)",
        "salt/top.sls: it is wrong (3)",
        "salt/top.sls: it is wrong (2) (2)",
    ]


@pytest.mark.parametrize("fail_on", [Severity.ERROR, Severity.WARNING], ids=str)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_text_becomes_an_element(text: str, fail_on: Severity) -> None:
    severity = Severity.WARNING
    found = diagnose(text, f"{text}.sls", severity=severity, minions=[text], remedy=text)
    written = to_junit([found], PLACES, fail_on)
    assert printable(written)
    report = read_xml(written)
    told = "failure" if severity >= fail_on else "system-out"
    assert [one.tag for one in report.iter()] == [
        *("testsuites", "testsuite", "properties", "property", "testcase"),
        told,
    ]
    (case,) = report.iter("testcase")
    assert set(case.attrib) == {"classname", "name", "file", "time"}


def read(found: list[Diagnostic], fail_on: Severity = Severity.ERROR) -> ET.Element:
    return read_xml(to_junit(found, PLACES, fail_on))


def _counts(name: str, tests: int, failures: int) -> dict[str, str]:
    counts = {"tests": tests, "failures": failures, "errors": 0, "skipped": 0, "time": 0}
    return {"name": name, **{key: str(count) for key, count in counts.items()}}


def _case(code: str, file: str, message: str) -> dict[str, str]:
    case = {"classname": f"pillarbook.{code}", "name": f"{file}: {message}", "file": file}
    return {**case, "time": "0"}
