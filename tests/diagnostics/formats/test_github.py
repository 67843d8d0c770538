"""Annotations: within what GitHub shows, and told of what it does not."""

from collections import Counter

import pytest
from tests.diagnostics.formats.found import HOSTILE, PLACES, diagnose, printable
from tests.support.workflow_commands import Command, read_annotations, read_command

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.diagnostics.formats.github import to_github
from pillarbook.diagnostics.formats.text_and_json import to_text

WEB = [f"web{number}" for number in range(1, 6)]
_LINE = "::error file=salt/top.sls,line=4,title=missing-sls::it is wrong"
ONE: dict[str, tuple[Diagnostic, str]] = {
    "a line": (diagnose(), _LINE),
    "a file": (
        diagnose(line=None),
        "::error file=salt/top.sls,title=missing-sls::it is wrong",
    ),
    "no place": (
        diagnose(file=None),
        "::error title=missing-sls::it is wrong",
    ),
    "a place elsewhere": (
        diagnose(file="../other.git:main:top.sls"),
        "::error title=missing-sls::../other.git:main:top.sls:4: it is wrong",
    ),
    "a warning": (
        diagnose(severity=Severity.WARNING),
        "::warning file=salt/top.sls,line=4,title=missing-sls::it is wrong",
    ),
    "a note": (
        diagnose(severity=Severity.NOTE),
        "::notice file=salt/top.sls,line=4,title=missing-sls::it is wrong",
    ),
    "minions": (
        diagnose(minions=WEB[:3]),
        _LINE + " (on web1, web2, web3)",
    ),
    "more minions": (
        diagnose(minions=WEB),
        _LINE + " (on web1, web2, web3 and 2 more)",
    ),
    "a remedy": (
        diagnose(remedy="put it right"),
        _LINE + "%0Aput it right",
    ),
    "signs of commands": (
        diagnose("100% a:b,c", "a,b:c%=d.sls"),
        "::error file=salt/a%2Cb%3Ac%25=d.sls,line=4,title=missing-sls::100%25 a:b,c",
    ),
}


@pytest.mark.parametrize(("found", "line"), ONE.values(), ids=ONE)
def test_one_finding_is_one_command(found: Diagnostic, line: str) -> None:
    assert list(to_github([found], PLACES)) == [line]


def test_nothing_found_prints_nothing() -> None:
    assert list(to_github([], PLACES)) == []


def test_what_a_rule_finds_at_one_line_is_one_annotation() -> None:
    found = [
        diagnose("first", minions=WEB[:2], remedy="put it right"),
        diagnose("second", minions=WEB[1:]),
        diagnose("elsewhere", line=5),
        diagnose("other", code="yaml-error"),
    ]
    messages = [one.data for one in read_annotations(_print(found))]
    assert messages == [
        "first (on web1, web2, web3 and 2 more)\nand 1 more of 'missing-sls' here\nput it right",
        "elsewhere",
        "other",
    ]


def test_findings_without_a_place_stay_apart() -> None:
    found = [diagnose("first", None), diagnose("second", None), diagnose("first", None)]
    assert [one.data.splitlines()[0] for one in read_annotations(_print(found))] == [
        "first",
        "second",
    ]


ORDER = ("error", "warning", "notice")
LIMITS = {
    "as many as there is room for": ((10, 10, 10), (10, 10, 10), None),
    "one error more": ((11, 0, 0), (10, 0, 1), "1 error, of 11 findings"),
    "one note more": ((0, 0, 11), (0, 0, 10), "2 notes, of 11 findings"),
    "errors take a note's room": ((12, 3, 10), (10, 3, 10), "2 errors, 1 note, of 25 findings"),
    "many of each": (
        (300, 40, 11),
        (10, 10, 10),
        "290 errors, 30 warnings, 2 notes, of 351 findings",
    ),
}


@pytest.mark.parametrize(("made", "shown", "left"), LIMITS.values(), ids=LIMITS)
def test_no_more_than_github_shows(
    made: tuple[int, int, int], shown: tuple[int, int, int], left: str | None
) -> None:
    severities = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
    found = [
        diagnose(f"message {line}", f"{severity}.sls", line, severity=severity)
        for severity, count in zip(severities, made, strict=True)
        for line in range(1, count + 1)
    ]
    commands = read_annotations(_print(found[::-1]))
    counted = Counter(one.name for one in commands)
    assert tuple(counted[name] for name in ORDER) == shown
    assert [one.name for one in commands] == sorted(counted.elements(), key=ORDER.index)
    if left is not None:
        last = Command(
            "notice",
            {"title": "pillarbook check"},
            f"not shown here: {left}; 'pillarbook check' lists all of them",
        )
        assert commands[-1] == last
    else:
        assert all("file" in one.properties for one in commands)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_text_becomes_a_command_of_its_own(text: str) -> None:
    found = diagnose(text, f"{text}.sls", minions=[text, text], remedy=text)
    printed = _print([found])
    (command,) = read_annotations(printed)
    assert command.name == "error"
    assert list(command.properties) == ["file", "line", "title"]
    assert (command.properties["line"], command.properties["title"]) == ("4", "missing-sls")
    assert command.data.count("\n") == 1  # the remedy stands on a line of its own
    assert printable(printed)
    assert printable(command.properties["file"])


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_the_listing_holds_no_command_either(text: str) -> None:
    found = diagnose(text, f"{text}.sls", minions=[text], remedy=text)
    lines = list(to_text([found]))
    assert len(lines) == 4
    assert [read_command(line) for line in lines] == [None] * 4
    assert all(map(str.isprintable, lines))


def _print(found: list[Diagnostic]) -> str:
    return "".join(f"{line}\n" for line in to_github(found, PLACES))
