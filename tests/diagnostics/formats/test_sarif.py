"""SARIF: valid, stable from run to run, and within what code scanning takes."""

import json
import urllib.parse
from typing import Any

import pytest
from tests.diagnostics.formats.found import (
    HOSTILE,
    PLACES,
    as_text,
    assert_sarif,
    diagnose,
    printable,
)

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.diagnostics.formats.sarif import MAX_BYTES, MAX_RESULTS, to_sarif
from pillarbook.model import Position

PLACED = {
    "a line": (diagnose(), ("salt/top.sls", 4)),
    "a file": (diagnose(line=None), ("salt/top.sls", 1)),
    "line nought": (diagnose(line=0), ("salt/top.sls", 1)),
    "of the tree": (diagnose(file=None), ("salt/master", 1)),
    "of minions": (diagnose(file=None, minions=["web1"]), ("fleet.yml", 1)),
    "elsewhere": (diagnose(file="../x.sls"), ("salt/master", 1)),
    "elsewhere, of minions": (diagnose(file="../x.sls", minions=["web1"]), ("fleet.yml", 1)),
}


@pytest.mark.parametrize(("found", "place"), PLACED.values(), ids=PLACED)
def test_every_result_has_a_place(found: Diagnostic, place: tuple[str, int]) -> None:
    (result,) = results_of([found])
    location = result["locations"][0]["physicalLocation"]
    assert (location["artifactLocation"]["uri"], location["region"]["startLine"]) == place


def test_a_result_says_all_that_is_known() -> None:
    found = diagnose(
        code="lost-scalar",
        severity=Severity.NOTE,
        minions=[f"web{number}" for number in range(9)],
        remedy="put it right",
        related=[Position("a b.sls", 7), Position("../gone.sls", 1), Position("c.sls")],
    )
    (result,) = results_of([found])
    assert (result["ruleId"], result["level"]) == ("lost-scalar", "note")
    assert result["message"]["text"] == "it is wrong (on web0, web1, web2 and 6 more)\nput it right"
    assert result["properties"] == {"minions": 9}
    related = [place["physicalLocation"] for place in result["relatedLocations"]]
    assert [place["artifactLocation"]["uri"] for place in related] == [
        "salt/a%20b.sls",
        "salt/c.sls",
    ]
    assert [place.get("region") for place in related] == [{"startLine": 7}, None]


def test_a_rule_that_found_something_has_its_page() -> None:
    log = to_sarif([diagnose(code="missing-sls")], PLACES, "1.0", "https://pillar.example/report/")
    assert_sarif(log)
    rules = {rule["id"]: rule for rule in log["runs"][0]["tool"]["driver"]["rules"]}
    found = rules["missing-sls"]
    assert found["help"]["markdown"].startswith("# missing-sls\n")
    assert found["helpUri"] == "https://pillar.example/report/rules/missing-sls.html"
    assert "markdown" not in rules["yaml-error"]["help"]
    (without,) = (
        rule
        for rule in to_sarif([diagnose(code="missing-sls")], PLACES, "1.0")["runs"][0]["tool"][
            "driver"
        ]["rules"]
        if rule["id"] == "missing-sls"
    )
    assert "helpUri" not in without


def test_what_lies_elsewhere_is_named() -> None:
    (result,) = results_of([diagnose(file="../x.sls")])
    assert result["message"]["text"] == "../x.sls:4: it is wrong"


@pytest.mark.parametrize("name", ["a b", "a%20b", "ü", "a:b", "#?&", "\udcff\udc80", "[x]"])
def test_names_of_files_can_be_read_back(name: str) -> None:
    (result,) = results_of([diagnose(file=f"{name}.sls")])
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    read = urllib.parse.unquote_to_bytes(uri).decode("utf-8", "surrogateescape")
    assert read == f"salt/{name}.sls"


def test_nothing_found_is_a_run_without_results() -> None:
    assert results_of([]) == []


def test_the_worst_are_kept_and_the_others_counted() -> None:
    notes = [diagnose(line=line, severity=Severity.NOTE) for line in range(1, MAX_RESULTS + 1)]
    log = to_sarif([*notes, diagnose("the worst"), diagnose(line=9)], PLACES, "1.0")
    texts = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    results = assert_sarif(log)
    assert len(results) == MAX_RESULTS
    assert results[0]["message"]["text"] == "the worst"
    assert [one["message"]["text"] for one in texts] == [
        "not among the results: 2 notes, of 5002 findings; 'pillarbook check' lists all of them"
    ]


def test_a_log_fits_whatever_its_texts_are() -> None:
    found = [
        diagnose("\N{ROCKET}" * 2_000, line=line, remedy="\N{ROCKET}" * 2_000)
        for line in range(1, 3_000)
    ]
    log = to_sarif(found, PLACES, "1.0")
    assert 1_000 < len(log["runs"][0]["results"]) < 3_000
    assert len(as_text(log).encode()) < MAX_BYTES + 100_000 < 10_000_000
    assert log["runs"][0]["invocations"][0]["toolExecutionNotifications"]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_text_becomes_more_than_text(text: str) -> None:
    found = diagnose(text, minions=[text], remedy=text, related=[Position("x.sls", 1)])
    (result,) = results_of([found])
    assert printable(result["message"]["text"])
    assert "](" not in result["message"]["text"]
    assert result["message"]["text"].count("\n") == 1


def results_of(found: list[Diagnostic]) -> list[Any]:
    """Return the results of a log that went through UTF-8 and is held to the form."""
    return assert_sarif(json.loads(as_text(to_sarif(found, PLACES, "1.0"))))
