"""Diagnostics as SARIF 2.1.0, within what GitHub's code scanning takes.

Source: OASIS "Static Analysis Results Interchange Format 2.1.0"; GitHub's "SARIF support for code
scanning": each result has a place in the repository, and no more than 5,000 are kept of a run.
"""

import json
import urllib.parse
from collections.abc import Iterator, Sequence
from typing import Any

from pillarbook.diagnostics.diagnostic import Diagnostic
from pillarbook.diagnostics.formats.fingerprints import take_fingerprints
from pillarbook.diagnostics.formats.plain_text import count_severities
from pillarbook.diagnostics.formats.repository_paths import RepositoryPaths
from pillarbook.diagnostics.formats.wording import shorten, with_minions
from pillarbook.diagnostics.rules import RULES, Rule
from pillarbook.model import Position

MAX_RESULTS = 5_000
"""Results that GitHub keeps of a run."""
MAX_BYTES = 9_500_000
"""What results may take as JSON: GitHub takes 10 MB, which are 10 MB compressed at the least."""
# A fault of a whole fleet has a place for each minion, and the file has a limit.
MAX_RELATED = 10
"""Further places of one result."""
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def to_sarif(
    diagnostics: Sequence[Diagnostic], places: RepositoryPaths, version: str
) -> dict[str, Any]:
    """Return a log with one run; what does not fit is counted in a notification.

    Args:
        diagnostics: The findings.
        places: Where their files lie.
        version: The version of pillarbook.
    """
    found = sorted(diagnostics, key=lambda one: -one.severity)
    results = list(_fill(found, places))
    invocation: dict[str, Any] = {"executionSuccessful": True}
    left = found[len(results) :]
    if left:
        text = (
            f"not among the results: {count_severities(left)}, of {len(found)} findings; "
            "'pillarbook check' lists all of them"
        )
        invocation["toolExecutionNotifications"] = [{"level": "note", "message": {"text": text}}]
    driver = {
        "name": "pillarbook",
        "semanticVersion": version,
        "rules": [_describe_rule(rule) for rule in RULES.values()],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _describe_rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": f"Finds {rule.title}."},
        "help": {"text": f"See '{rule.code}' under Rules in pillarbook's guide."},
        "defaultConfiguration": {"level": str(rule.severity)},
    }


def _fill(found: Sequence[Diagnostic], places: RepositoryPaths) -> Iterator[dict[str, Any]]:
    """Yield results as far as they fit."""
    indexes = {code: index for index, code in enumerate(RULES)}
    fingerprints = take_fingerprints(found, places)
    room = MAX_BYTES
    for one, fingerprint in zip(found[:MAX_RESULTS], fingerprints, strict=False):
        result = {
            "ruleId": one.code,
            "ruleIndex": indexes[one.code],
            "level": str(one.severity),
            "message": {"text": _without_links(_describe(one, places))},
            "locations": [_locate(places.placeholder(one))],
            "partialFingerprints": {"pillarbook/v1": fingerprint},
            "properties": {"minions": len(one.minions)},
        }
        related = [place for place in map(places.find, one.related) if place is not None]
        if related:
            result["relatedLocations"] = [
                {"id": number, "message": {"text": "has to do with it"}, **_locate(place)}
                for number, place in enumerate(related[:MAX_RELATED], 1)
            ]
        room -= len(json.dumps(result, ensure_ascii=False).encode())
        if room < 0:
            return
        yield result


def _describe(diagnostic: Diagnostic, places: RepositoryPaths) -> str:
    message = with_minions(places.describe(diagnostic), diagnostic.minions)
    return f"{message}\n{shorten(diagnostic.help)}" if diagnostic.help else message


def _without_links(text: str) -> str:
    """Return a text in which no viewer sees ``[words](target)``."""
    return text.replace("](", "] (")


def _locate(place: Position) -> dict[str, Any]:
    """Return a place; bytes of a file's name that are no text are kept."""
    uri = urllib.parse.quote(place.file.encode("utf-8", "surrogateescape"))
    location: dict[str, Any] = {"artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"}}
    if place.line:
        location["region"] = {"startLine": place.line}
    return {"physicalLocation": location}
