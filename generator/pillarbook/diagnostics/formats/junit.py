"""Diagnostics as a JUnit report, as GitLab and Jenkins read it: a suite a rule, a case a finding.

Source: the ``junit-10.xsd`` of Jenkins' xUnit plugin, which takes no further attributes, but for
``file``, which GitLab links to. GitLab keeps one case of those with the same class and name.
"""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from pillarbook.diagnostics.diagnostic import Diagnostic, Severity
from pillarbook.diagnostics.formats.repository_findings import RepositoryPaths
from pillarbook.diagnostics.formats.text_and_json import describe
from pillarbook.diagnostics.formats.wording import clean, shorten
from pillarbook.diagnostics.rules import RULES

_CLASS = "pillarbook"


def to_junit(diagnostics: Sequence[Diagnostic], paths: RepositoryPaths, fail_on: Severity) -> str:
    """Return the report; one case that passes if there are no findings.

    Findings below the severity ``fail_on`` are cases that pass, with the finding as output.
    """
    root = ET.Element("testsuites", name="pillarbook check")
    by_rule: dict[str, list[Diagnostic]] = {}
    for one in diagnostics:
        by_rule.setdefault(one.code, []).append(one)
    for code, found in by_rule.items():
        _add_suite(root, code, found, paths, fail_on)
    if not by_rule:
        suite = ET.SubElement(root, "testsuite", _suite_of(_CLASS, 1, 0))
        ET.SubElement(suite, "testcase", classname=_CLASS, name="check", time="0")
    ET.indent(root, " ")
    text: str = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _add_suite(
    root: ET.Element,
    code: str,
    found: Sequence[Diagnostic],
    paths: RepositoryPaths,
    fail_on: Severity,
) -> None:
    failures = sum(one.severity >= fail_on for one in found)
    suite = ET.SubElement(root, "testsuite", _suite_of(code, len(found), failures))
    properties = ET.SubElement(suite, "properties")
    ET.SubElement(properties, "property", name="finds", value=RULES[code].title)
    taken: dict[str, int] = {}
    for one in found:
        place = paths.placeholder(one)
        name = _find_free(shorten(f"{place.file}: {paths.describe(one)}"), taken)
        case = ET.SubElement(
            suite,
            "testcase",
            {"classname": f"{_CLASS}.{code}", "name": name, "file": clean(place.file), "time": "0"},
        )
        text = "\n".join(shorten(line) for line in describe(one))
        if one.severity >= fail_on:
            words = {"message": shorten(one.message), "type": str(one.severity)}
            ET.SubElement(case, "failure", words).text = text
        else:
            ET.SubElement(case, "system-out").text = text


def _find_free(name: str, taken: dict[str, int]) -> str:
    """Return a name that no other case has, and reserve it."""
    free = name
    while free in taken:
        taken[name] += 1
        free = f"{name} ({taken[name]})"
    taken[free] = 1
    return free


def _suite_of(name: str, tests: int, failures: int) -> dict[str, str]:
    counts = {"tests": tests, "failures": failures, "errors": 0, "skipped": 0, "time": 0}
    return {"name": name, **{key: str(value) for key, value in counts.items()}}
