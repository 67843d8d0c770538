"""Diagnostics as SARIF 2.1.0, within what GitHub's code scanning takes.

Source: OASIS "Static Analysis Results Interchange Format 2.1.0"; GitHub's "SARIF support for code
scanning": each result has a place in the repository, and no more than 5,000 are kept of a run.
"""

import json
import urllib.parse
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from pillarbook.diagnostics.diagnostic import Diagnostic
from pillarbook.diagnostics.formats.repository_findings import RepositoryPaths, take_fingerprints
from pillarbook.diagnostics.formats.wording import count_severities, shorten, with_minions
from pillarbook.diagnostics.guide_texts import read_guide_page, rule_name
from pillarbook.diagnostics.rules import RULES, Rule
from pillarbook.model import Position

MAX_RESULTS = 5_000
"""The most results that GitHub keeps of a run."""
MAX_BYTES = 9_500_000
"""The limit of the results as JSON: GitHub takes 10 MB, compressed."""
# A fault of a whole fleet has a location for each minion, and the file has a limit.
MAX_RELATED = 10
"""The most related locations of one result."""
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def to_sarif(
    diagnostics: Sequence[Diagnostic], paths: RepositoryPaths, version: str, report_url: str = ""
) -> dict[str, Any]:
    """Return a log with one run by a version of pillarbook; a notification counts what is left.

    ``report_url`` is the address of the report, which has a page for each rule that it reports.
    """
    found = sorted(diagnostics, key=lambda one: -one.severity)
    results = list(_fill(found, paths))
    invocation: dict[str, Any] = {"executionSuccessful": True}
    left = found[len(results) :]
    if left:
        text = (
            f"not among the results: {count_severities(left)}, of {len(found)} findings; "
            "'pillarbook check' lists all of them"
        )
        invocation["toolExecutionNotifications"] = [{"level": "note", "message": {"text": text}}]
    reported = {one.code for one in found}
    driver = {
        "name": "pillarbook",
        "semanticVersion": version,
        "rules": [_describe_rule(rule, reported, report_url) for rule in RULES.values()],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _describe_rule(rule: Rule, reported: Collection[str], report_url: str) -> dict[str, Any]:
    """Return a rule; one that found something has its whole page."""
    described: dict[str, Any] = {
        "id": rule.code,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": f"Finds {rule.title}."},
        "help": {"text": f"`pillarbook rule {rule.code}` explains it."},
        "defaultConfiguration": {"level": str(rule.severity)},
    }
    if rule.code in reported:
        described["help"]["markdown"] = read_guide_page(rule_name(rule.code))
        if report_url:
            described["helpUri"] = f"{report_url.rstrip('/')}/rules/{rule.code}.html"
    return described


def _fill(found: Sequence[Diagnostic], paths: RepositoryPaths) -> Iterator[dict[str, Any]]:
    """Yield the results that fit."""
    indexes = {code: index for index, code in enumerate(RULES)}
    fingerprints = take_fingerprints(found, paths)
    room = MAX_BYTES
    for one, fingerprint in zip(found[:MAX_RESULTS], fingerprints, strict=False):
        result = {
            "ruleId": one.code,
            "ruleIndex": indexes[one.code],
            "level": str(one.severity),
            # No viewer sees `[words](target)` in it.
            "message": {"text": _describe(one, paths).replace("](", "] (")},
            "locations": [_locate(paths.placeholder(one))],
            "partialFingerprints": {"pillarbook/v1": fingerprint},
            "properties": {"minions": len(one.minions)},
        }
        related = [place for place in map(paths.find, one.related) if place is not None]
        if related:
            result["relatedLocations"] = [
                {"id": number, "message": {"text": "has to do with it"}, **_locate(place)}
                for number, place in enumerate(related[:MAX_RELATED], 1)
            ]
        room -= len(json.dumps(result, ensure_ascii=False).encode())
        if room < 0:
            return
        yield result


def _describe(diagnostic: Diagnostic, paths: RepositoryPaths) -> str:
    message = with_minions(paths.describe(diagnostic), diagnostic.minions)
    return f"{message}\n{shorten(diagnostic.help)}" if diagnostic.help else message


def _locate(place: Position) -> dict[str, Any]:
    """Return a location; bytes of a file's name that are not text are kept."""
    uri = urllib.parse.quote(place.file.encode("utf-8", "surrogateescape"))
    location: dict[str, Any] = {"artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"}}
    if place.line:
        location["region"] = {"startLine": place.line}
    return {"physicalLocation": location}
