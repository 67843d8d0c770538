"""Laws of what is written of diagnostics: whatever they hold, it is read back as what it is."""

import json
import urllib.parse
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from tests.diagnostics.formats.found import (
    HOSTILE,
    PLACES,
    as_text,
    assert_code_quality,
    assert_sarif,
    printable,
    read_xml,
)
from tests.support.workflow_commands import read_annotations, read_command

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.diagnostics.formats.github import to_github
from pillarbook.diagnostics.formats.gitlab import to_gitlab
from pillarbook.diagnostics.formats.junit import to_junit
from pillarbook.diagnostics.formats.sarif import to_sarif
from pillarbook.diagnostics.formats.text_and_json import to_text
from pillarbook.diagnostics.rules import RULES
from pillarbook.model import Position

PIECES = st.one_of(
    st.sampled_from([*HOSTILE.values(), "::", "##[", "%0A", "\n", "](", ":4", "a"]),
    st.text(st.characters(exclude_categories=()), max_size=4),
)
TEXTS = st.lists(PIECES, max_size=4).map("".join)
NAMES = st.text(st.characters() | st.sampled_from("/:.\udc80\udcff"), min_size=1, max_size=8)
"""What names of files are read as: bytes that are no UTF-8 are halves from dc80 on."""
POSITIONS = st.builds(Position, NAMES | st.just("../x"), st.none() | st.integers(0, 3))
FOUND = st.lists(
    st.builds(
        Diagnostic,
        code=st.sampled_from(["missing-sls", "lost-scalar", "yaml-error"]),
        severity=st.sampled_from(Severity),
        message=TEXTS.filter(bool),
        position=st.none() | POSITIONS,
        minions=st.lists(TEXTS, max_size=5).map(tuple),
        help=st.none() | TEXTS,
        related=st.lists(POSITIONS, max_size=3).map(tuple),
    ),
    max_size=14,
)


@given(FOUND)
def test_annotations_are_what_was_found(found: list[Diagnostic]) -> None:
    printed = "".join(f"{line}\n" for line in to_github(found, PLACES))
    assert printable(printed)
    commands = read_annotations(printed)
    counted = Counter(one.name for one in commands)
    assert set(counted) <= {"error", "warning", "notice"}
    assert max(counted.values(), default=0) <= 10
    for one in commands:
        assert set(one.properties) <= {"file", "line", "title"}
        assert one.properties["title"] in {*RULES, "pillarbook check"}
        assert printable(one.data)
        assert len(one.data.split("\n")) <= 3
    assert bool(commands) == bool(found)


@given(FOUND)
def test_sarif_is_valid_and_whole(found: list[Diagnostic]) -> None:
    results = assert_sarif(json.loads(as_text(to_sarif(found, PLACES, "1.0"))))
    assert len(results) == len(found)
    fingerprints = {one["partialFingerprints"]["pillarbook/v1"] for one in results}
    assert len(fingerprints) == len(found)
    worst_first = sorted(found, key=lambda one: -one.severity)
    for one, result in zip(worst_first, results, strict=True):
        assert (result["ruleId"], result["level"]) == (one.code, str(one.severity))
        assert printable(result["message"]["text"])
        assert "](" not in result["message"]["text"]
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]
        read = urllib.parse.unquote_to_bytes(place["uri"]).decode("utf-8", "surrogateescape")
        assert read == PLACES.placeholder(one).file


@given(FOUND, st.sampled_from(Severity))
def test_junit_is_xml_with_a_case_for_each(found: list[Diagnostic], fail_on: Severity) -> None:
    written = to_junit(found, PLACES, fail_on)
    assert printable(written)
    report = read_xml(written)
    cases = list(report.iter("testcase"))
    assert len(cases) == max(1, len(found))
    names = {(case.attrib["classname"], case.attrib["name"]) for case in cases}
    assert len(names) == len(cases)
    failing = sum(one.severity >= fail_on for one in found)
    assert len(list(report.iter("failure"))) == failing
    assert sum(int(suite.attrib["tests"]) for suite in report) == len(cases)
    assert sum(int(suite.attrib["failures"]) for suite in report) == failing


@given(FOUND)
def test_code_quality_is_whole(found: list[Diagnostic]) -> None:
    entries = json.loads(as_text(to_gitlab(found, PLACES)))
    assert_code_quality(entries)
    assert [entry["check_name"] for entry in entries] == [one.code for one in found]
    assert all(printable(entry["description"]) for entry in entries)


@given(FOUND)
def test_a_listing_holds_no_commands(found: list[Diagnostic]) -> None:
    for line in to_text(found):
        assert line.isprintable()
        assert read_command(line) is None
