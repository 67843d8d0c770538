"""Diagnostics for the tests of what is written of them, and the shapes that services ask for."""

import json
import re
import urllib.parse
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree as ET

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.diagnostics.formats.repository_findings import RepositoryPaths
from pillarbook.diagnostics.rules import RULES
from pillarbook.model import Position

PLACES = RepositoryPaths(
    locate=lambda file: None if file.startswith("..") else f"salt/{file}",
    master="salt/master",
    inventory="fleet.yml",
)
"""The master file's folder is ``salt``, and what lies above it is in no repository."""
HOSTILE = {
    "command": "::error file=x::y",
    "old command": "##[error]x ##[add-mask]y",
    "escaped line": "%0A::stop-commands::x %25 %3A",
    "line": "a\n::stop-commands::x\r::warning::y\r\n::debug::z",
    "other lines": "a\u2028::error::b\x85::error::c\x0b::error::d",
    "properties": "a,line=7,title=b:c=d",
    "terminal": "\x1b[31mred\x1b]0;x\x07 \x9b2J",
    "turned": "\u202eabc\u2066d \u200be",
    "halves": "\ud800 \udfff \udcff",
    "no XML": "\x00\x01\x08\x0c\ufffe\uffff",
    "XML": "]]></failure><testcase name='x'/><![CDATA[ &amp; &#0; \" ' --> <?x?>",
    "HTML": "<img src=x onerror=x()>",
    "link": "[click](https://evil.example) ![x](y.png) [1](1)",
    "placeholder": "{0} {{x}} %s $(id)",
}


def diagnose(  # noqa: PLR0913 (what a diagnostic consists of)
    message: str = "it is wrong",
    file: str | None = "top.sls",
    line: int | None = 4,
    *,
    code: str = "missing-sls",
    severity: Severity = Severity.ERROR,
    minions: Sequence[str] = (),
    remedy: str | None = None,
    related: Sequence[Position] = (),
) -> Diagnostic:
    """Return a diagnostic."""
    return Diagnostic(
        code=code,
        severity=severity,
        message=message,
        position=None if file is None else Position(file, line),
        minions=tuple(minions),
        help=remedy,
        related=tuple(related),
    )


def printable(text: str) -> bool:
    """Say whether nothing of a text is a command to what shows it, but for ends of lines."""
    return all(part.isprintable() for part in text.split("\n"))


def as_text(data: Any) -> str:
    """Return data as the command writes it, having gone through UTF-8."""
    return json.dumps(data, ensure_ascii=False).encode().decode()


def read_xml(text: str) -> ET.Element:
    """Return the root of a document that went through UTF-8."""
    return ET.fromstring(text.encode())  # noqa: S314 (what is read was written here)


def assert_sarif(log: Any) -> list[Any]:
    """Hold a log to what SARIF 2.1.0 requires, and to GitHub's terms; return its results."""
    assert log["version"] == "2.1.0"
    assert log["$schema"].startswith("https://")
    (run,) = log["runs"]
    assert set(run) <= {"tool", "invocations", "columnKind", "results"}
    driver = run["tool"]["driver"]
    assert set(driver) == {"name", "semanticVersion", "rules"}
    for rule in driver["rules"]:
        assert set(rule) - {"helpUri"} == {"id", "defaultConfiguration", *_TEXTS}
        assert all(rule[name]["text"] for name in _TEXTS)
        assert all(set(rule[name]) == {"text"} for name in _TEXTS if name != "help")
        assert set(rule["help"]) <= {"text", "markdown"}
        assert rule["defaultConfiguration"]["level"] in _LEVELS
    assert [rule["id"] for rule in driver["rules"]] == list(RULES)
    (invocation,) = run["invocations"]
    assert invocation.pop("executionSuccessful") is True
    for notification in invocation.pop("toolExecutionNotifications", []):
        assert notification["level"] == "note"
        assert notification["message"]["text"]
    assert invocation == {}
    for result in run["results"]:
        _assert_result(result, driver["rules"])
    return list(run["results"])


_TEXTS = ("shortDescription", "fullDescription", "help")
_LEVELS = {"error", "warning", "note"}


def _assert_result(result: Any, rules: Sequence[Any]) -> None:
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert result["level"] in _LEVELS
    assert result["message"]["text"]
    assert len(result["locations"]) == 1
    assert set(result["partialFingerprints"]) == {"pillarbook/v1"}
    related = result.get("relatedLocations", [])
    assert [place["id"] for place in related] == list(range(1, len(related) + 1))
    assert all(place["message"]["text"] for place in related)
    for place in (*result["locations"], *related):
        physical = place["physicalLocation"]
        assert physical["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
        uri = physical["artifactLocation"]["uri"]
        assert re.fullmatch(r"(?:[\w.~/-]|%[0-9A-F]{2})+", uri, re.ASCII)
        assert not uri.startswith("/")
        assert urllib.parse.quote(urllib.parse.unquote_to_bytes(uri)) == uri
        assert physical.get("region", {"startLine": 1})["startLine"] >= 1
    assert "region" in result["locations"][0]["physicalLocation"]


def assert_code_quality(entries: Any) -> None:
    """Hold entries to what GitLab asks of a Code Quality report."""
    assert isinstance(entries, list)
    for entry in entries:
        assert set(entry) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert entry["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert re.fullmatch(r"[0-9a-f]{32}", entry["fingerprint"])
        assert entry["location"]["lines"]["begin"] >= 1
        assert entry["location"]["path"]
        assert not entry["location"]["path"].startswith(("/", "./", "../"))
    fingerprints = [entry["fingerprint"] for entry in entries]
    assert len(set(fingerprints)) == len(fingerprints)
