"""Code Quality reports: GitLab's form, and fingerprints that stay and differ."""

import json

import pytest
from tests.diagnostics.formats.found import (
    HOSTILE,
    PLACES,
    as_text,
    assert_code_quality,
    diagnose,
    printable,
)

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.diagnostics.formats.gitlab import to_gitlab
from pillarbook.diagnostics.formats.sarif import to_sarif


def test_an_entry_has_what_gitlab_asks_for() -> None:
    (entry,) = to_gitlab([diagnose(minions=["web1"])], PLACES)
    fingerprint = entry.pop("fingerprint")
    assert len(fingerprint) == 32
    assert entry == {
        "description": "it is wrong (on web1)",
        "check_name": "missing-sls",
        "severity": "major",
        "location": {"path": "salt/top.sls", "lines": {"begin": 4}},
    }


@pytest.mark.parametrize(
    ("severity", "word"),
    [(Severity.ERROR, "major"), (Severity.WARNING, "minor"), (Severity.NOTE, "info")],
    ids=str,
)
def test_severities_in_gitlabs_words(severity: Severity, word: str) -> None:
    assert to_gitlab([diagnose(severity=severity)], PLACES)[0]["severity"] == word


ELSEWHERE = {
    "of the tree": (diagnose(file=None), "salt/master", "it is wrong"),
    "of minions": (
        diagnose(file=None, minions=["web1"]),
        "fleet.yml",
        "it is wrong (on web1)",
    ),
    "in no repository": (diagnose(file="../x.sls"), "salt/master", "../x.sls:4: it is wrong"),
}


@pytest.mark.parametrize(("found", "path", "told"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_what_has_no_place_stands_in_a_declared_file(
    found: Diagnostic, path: str, told: str
) -> None:
    (entry,) = to_gitlab([found], PLACES)
    assert entry["location"] == {"path": path, "lines": {"begin": 1}}
    assert entry["description"] == told


def test_nothing_found_is_an_empty_report() -> None:
    assert to_gitlab([], PLACES) == []


STAYS = {
    "further down": diagnose(line=90),
    "on other minions": diagnose(minions=["web1"]),
    "with another remedy": diagnose(remedy="put it right"),
    "with another severity": diagnose(severity=Severity.NOTE),
}
DIFFERS = {
    "another message": diagnose("it is odd"),
    "another file": diagnose(file="web.sls"),
    "another rule": diagnose(code="yaml-error"),
    "no file": diagnose(file=None),
}


@pytest.mark.parametrize("other", STAYS.values(), ids=STAYS)
def test_a_finding_is_the_same(other: Diagnostic) -> None:
    assert fingerprints_of([other]) == fingerprints_of([diagnose()])


@pytest.mark.parametrize("other", DIFFERS.values(), ids=DIFFERS)
def test_a_finding_is_another(other: Diagnostic) -> None:
    assert fingerprints_of([other]) != fingerprints_of([diagnose()])


def test_lines_in_a_message_do_not_count() -> None:
    one, other = (diagnose(f"SLS 'a' replaces it (web.sls:{line})") for line in (3, 17))
    assert fingerprints_of([one]) == fingerprints_of([other])


def test_equal_findings_are_told_apart() -> None:
    found = [diagnose(line=line) for line in (3, 9, 12)]
    first, *others = fingerprints_of(found)
    assert len({first, *others}) == 3
    assert first == fingerprints_of([diagnose()])[0]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_text_becomes_more_than_text(text: str) -> None:
    found = diagnose(text, f"{text}.sls", minions=[text], remedy=text)
    entries = json.loads(as_text(to_gitlab([found, found], PLACES)))
    assert_code_quality(entries)
    assert printable(entries[0]["description"])
    assert "\n" not in entries[0]["description"]
    assert printable(entries[0]["location"]["path"])


def fingerprints_of(found: list[Diagnostic]) -> list[str]:
    """Return the fingerprints, which are those of SARIF, too."""
    told = [entry["fingerprint"] for entry in to_gitlab(found, PLACES)]
    results = to_sarif(found, PLACES, "1.0")["runs"][0]["results"]
    assert [one["partialFingerprints"]["pillarbook/v1"] for one in results] == told
    return told
