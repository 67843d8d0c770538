"""Diagnostics as text for people."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from pillarbook.diagnostics.diagnostic import Diagnostic
from pillarbook.diagnostics.formats.wording import clean, name_minions


def to_text(diagnostics: Sequence[Diagnostic], ignored: int = 0) -> Iterator[str]:
    """Yield the lines of a listing, and a last line that counts.

    Args:
        diagnostics: Those that count.
        ignored: How many the configuration ignores.
    """
    for one in diagnostics:
        yield from describe(one)
    counted = count_severities(diagnostics)
    yield f"{counted} ({ignored} ignored by the configuration)" if ignored else counted


def describe(diagnostic: Diagnostic) -> Iterator[str]:
    """Yield the lines about one diagnostic: place and message, then minions, then the remedy."""
    place = f"{diagnostic.position}: " if diagnostic.position else ""
    yield _as_line(f"{place}{diagnostic.severity}: {diagnostic.message} [{diagnostic.code}]")
    if diagnostic.minions:
        yield _as_line(f"    on {name_minions(diagnostic.minions)}")
    if diagnostic.help:
        yield _as_line(f"    {diagnostic.help}")


def count_severities(diagnostics: Iterable[Diagnostic]) -> str:
    """Return ``2 errors, 1 warning`` and the like."""
    counts = Counter(one.severity for one in diagnostics)
    words = [
        f"{counts[severity]} {severity}{'' if counts[severity] == 1 else 's'}"
        for severity in sorted(counts, reverse=True)
    ]
    return ", ".join(words) if words else "nothing found"


def _as_line(text: str) -> str:
    """Return a line that neither a terminal nor GitHub's runner takes for a command.

    The runner looks for ``::`` where a line begins, and for ``##[`` anywhere in it.
    """
    line = clean(text).replace("##[", "## [")
    return f"./{line}" if line.lstrip().startswith("::") else line
