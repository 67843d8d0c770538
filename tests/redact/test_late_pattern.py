"""Patterns that are compiled late match as others do, and are compiled once."""

import re

import pytest

from pillarbook.patterns.late_pattern import compile_late


def test_it_matches_as_a_pattern_does() -> None:
    late, early = compile_late(r"a(b+)", re.IGNORECASE), re.compile(r"a(b+)", re.IGNORECASE)
    assert late.findall("abb AB") == early.findall("abb AB")
    assert [one.span(1) for one in late.finditer("xab")] == [(2, 3)]
    assert late.sub("-", "ab") == "-"
    assert late.flags == early.flags


def test_it_is_compiled_once_and_late(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []
    before = re.compile

    def note(pattern: str, flags: int) -> "re.Pattern[str]":
        compiled.append(pattern)
        return before(pattern, flags)

    monkeypatch.setattr(re, "compile", note)
    late = compile_late("a")
    assert compiled == []
    assert late.search("b") is None
    assert late.search("a")
    assert late.match("a")
    assert compiled == ["a"]
