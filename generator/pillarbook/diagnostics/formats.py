"""Diagnostics written out: text for people, JSON for programs."""

from collections.abc import Iterator, Sequence
from typing import Any

from pillarbook.diagnostics.diagnostic import Diagnostic, Severity
from pillarbook.model import to_tagged

SCHEMA = "pillarbook.check/1"
MOST_NAMED = 3
"""Minions that a line of text names before it counts the others."""


def to_json(diagnostics: Sequence[Diagnostic], ignored: int = 0) -> dict[str, Any]:
    """Return diagnostics in the documented JSON form.

    Args:
        diagnostics: Those that count.
        ignored: How many the configuration ignores.
    """
    return {
        "schema": SCHEMA,
        "ignored": ignored,
        "diagnostics": [
            {
                "code": one.code,
                "severity": str(one.severity),
                "message": one.message,
                "file": one.position.file if one.position else None,
                "line": one.position.line if one.position else None,
                "path": None if one.path is None else [to_tagged(key) for key in one.path],
                "minions": list(one.minions),
                "help": one.help,
                "related": [{"file": place.file, "line": place.line} for place in one.related],
            }
            for one in diagnostics
        ],
    }


def to_text(diagnostics: Sequence[Diagnostic], ignored: int = 0) -> Iterator[str]:
    """Yield the lines of a listing, and a last line that counts.

    Args:
        diagnostics: Those that count.
        ignored: How many the configuration ignores.
    """
    for one in diagnostics:
        place = f"{one.position}: " if one.position else ""
        yield _clean(f"{place}{one.severity}: {one.message} [{one.code}]")
        if one.minions:
            yield _clean(f"    on {_name_minions(one.minions)}")
        if one.help:
            yield _clean(f"    {one.help}")
    counted = count_severities(diagnostics)
    yield f"{counted} ({ignored} ignored by the configuration)" if ignored else counted


def count_severities(diagnostics: Sequence[Diagnostic]) -> str:
    """Return ``2 errors, 1 warning`` and the like."""
    counts = [
        (sum(one.severity is severity for one in diagnostics), str(severity))
        for severity in sorted(Severity, reverse=True)
    ]
    words = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts if count]
    return ", ".join(words) if words else "nothing found"


def _name_minions(minions: tuple[str, ...]) -> str:
    named = ", ".join(minions[:MOST_NAMED])
    more = len(minions) - MOST_NAMED
    return f"{named} and {more} more" if more > 0 else named


def _clean(line: str) -> str:
    """Return a line without what a terminal would take for a command."""
    return "".join(part if part.isprintable() else "\N{REPLACEMENT CHARACTER}" for part in line)
