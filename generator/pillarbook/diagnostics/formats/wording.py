"""Texts that several formats share."""

from collections import Counter
from collections.abc import Sequence

from pillarbook.diagnostics.diagnostic import Diagnostic, fold_follow_on
from pillarbook.model.phrases import count, list_some

MAX_NAMED = 3
"""The most minions that are named; the others are counted."""
MAX_LENGTH = 1_000
"""The most characters of a text in a format with a limit for the whole."""


def clean(text: str) -> str:
    """Return a text without commands for a terminal, or for a page that shows it.

    Control characters, marks that turn the direction of writing, and halves of characters become
    the replacement character; the rest can be written as UTF-8 and in XML.
    """
    return "".join(part if part.isprintable() else "\N{REPLACEMENT CHARACTER}" for part in text)


def shorten(text: str) -> str:
    """Return a text without commands, cut to ``MAX_LENGTH``."""
    short = clean(text[: MAX_LENGTH + 1])
    return short if len(short) <= MAX_LENGTH else f"{short[:MAX_LENGTH]}..."


def name_minions(minions: Sequence[str]) -> str:
    """Return ``web1, web2, web3 and 409 more``."""
    return clean(list_some(minions, MAX_NAMED, str))


def with_minions(message: str, minions: Sequence[str]) -> str:
    """Return a shortened message, with the affected minions after it."""
    short = shorten(message)
    return f"{short} (on {shorten(name_minions(minions))})" if minions else short


def count_severities(diagnostics: Sequence[Diagnostic]) -> str:
    """Return ``2 errors, 1 warning`` and the like; what follows from another error is apart."""
    folded = fold_follow_on(diagnostics)
    follow = sum(map(len, folded.values()))
    counts = Counter(one.severity for one in folded)
    words = [count(counts[severity], str(severity)) for severity in sorted(counts, reverse=True)]
    words += [count(follow, "follow-on error")] if follow else []
    return ", ".join(words) if words else "nothing found"
