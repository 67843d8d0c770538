"""Colors of ``check``: on a terminal, or where they are asked for, and never in data."""

import io
import re
import sys
from pathlib import Path

import click
import pytest
from tests.support.fleets import write_fleet

from pillarbook.cli.main import run

DECLARED = ("--master", "master", "--inventory", "minions.yml")
COLORS = re.compile(r"\x1b\[[0-9;]*m")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_fleet(tmp_path, {"top.sls": "base: {'*': [gone], 'x*': [gone]}\n"}, {"m": {}})
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


def check(monkeypatch: pytest.MonkeyPatch, out: io.StringIO, *words: str) -> str:
    monkeypatch.setattr(sys, "stdout", out)
    assert run(["check", *DECLARED, *words]) == 2
    return out.getvalue()


def test_a_terminal_shows_severities_in_colors(monkeypatch: pytest.MonkeyPatch) -> None:
    told = check(monkeypatch, Terminal())
    assert f"{click.style('error', fg='red', bold=True)}: " in told
    assert f"{click.style('note', fg='cyan', bold=True)}: " in told
    assert COLORS.sub("", told) == check(monkeypatch, io.StringIO())


@pytest.mark.parametrize(
    "words", [("--color", "never"), ("--format", "json"), ("--format", "github")]
)
def test_not_where_nobody_wants_them(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not COLORS.search(check(monkeypatch, Terminal(), *words))


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_variables_switch_them_off(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    assert not COLORS.search(check(monkeypatch, Terminal()))
    assert COLORS.search(check(monkeypatch, Terminal(), "--color", "always"))


def test_a_file_has_none_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, Terminal(), "--output", "plain.txt")
    check(monkeypatch, Terminal(), "--output", "painted.txt", "--color", "always")
    assert not COLORS.search(Path("plain.txt").read_text())
    assert COLORS.search(Path("painted.txt").read_text())
