"""Shows what would change in files that people edit, and asks before anything is written."""

import difflib
import sys
from collections.abc import Iterator, Sequence

import click

from pillarbook.bootstrap.update_files import FileChange
from pillarbook.cli.value_text import clean_line


def ask_changes(changes: Sequence[FileChange], *, is_sure: bool) -> bool:
    """Print changes of files as a diff, and say whether they are to be written.

    Raises:
        UsageError: There is no terminal to ask on.
    """
    for change in changes:
        for line in _compare(change):
            click.echo(clean_line(line))
    if is_sure:
        return True
    if not sys.stdin.isatty():
        raise click.UsageError(
            "Nothing is written: this needs your answer, and there is no terminal; give --yes."
        )
    return click.confirm("Write these changes?", err=True)


def _compare(change: FileChange) -> Iterator[str]:
    """Yield a unified diff without unchanged lines, which may hold what people keep secret."""
    before, after = change.before.splitlines(), change.after.splitlines()
    for line in difflib.unified_diff(before, after, change.name, change.name, "", "", 0, ""):
        if not line.startswith("@@"):
            yield line
            continue
        place = line.split()[1].removeprefix("-")
        first, _, count = place.partition(",")
        at = int(first) if count == "0" else int(first) - 1
        yield f"{line} {_heading(before, at)}".rstrip()


def _heading(lines: Sequence[str], at: int) -> str:
    """Return the key that the lines before a place belong to, as git shows a function."""
    for line in reversed(lines[:at]):
        key, colon, _ = line.partition(":")
        if colon and not key.lstrip().startswith(("#", "-")) and _indent(line) <= _MOST:
            return key.strip()
    return ""


_MOST = 2
"""Columns that a minion's id is indented by."""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
