"""The known name that somebody may have meant."""

from collections.abc import Collection
from difflib import get_close_matches

SIMILAR = 0.7
"""How similar a name must be to a known one, from 0 to 1; letters in capitals are the same."""


def find_similar(name: str, known: Collection[str]) -> str | None:
    """Return the known name that is most similar to another one, or None."""
    by_lower = {one.lower(): one for one in sorted(known, reverse=True)}
    found = get_close_matches(name.lower(), by_lower, n=1, cutoff=SIMILAR)
    return by_lower[found[0]] if found else None
