"""The known name that somebody may have meant."""

from bisect import bisect
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from itertools import pairwise

SIMILAR = 0.7
"""How similar a name must be to a known one, from 0 to 1; letters in capitals are the same."""
MOST = 100
"""The most names that are compared letter by letter, which takes long."""


def find_similar(name: str, known: Collection[str], least: float = SIMILAR) -> str | None:
    """Return the known name that is most similar to another one, or None.

    ``least`` is how similar it must be, from 0 to 1.
    """
    by_lower = {one.lower(): one for one in sorted(known, reverse=True)}
    lower = name.lower()
    found = get_close_matches(lower, _choose(lower, by_lower), n=1, cutoff=least)
    # Of a short name, which is all but unlike its misspelling: `wbe` for `web`.
    found += [one for one in _with_letters_swapped(lower) if one in by_lower]
    return by_lower[found[0]] if found else None


def _with_letters_swapped(name: str) -> Iterator[str]:
    """Yield the names that have two neighbouring letters of a name in the other order."""
    for at, (one, other) in enumerate(pairwise(name)):
        if one.isalpha() and other.isalpha():
            yield f"{name[:at]}{other}{one}{name[at + 2 :]}"


def _choose(name: str, known: Collection[str]) -> Collection[str]:
    """Return all names if they are few, else those that begin or end most like a name."""
    if len(known) <= MOST:
        return known
    chosen: set[str] = set()
    for step in (1, -1):
        names = sorted(one[::step] for one in known)
        at = bisect(names, name[::step])
        near = names[max(0, at - MOST // 4) : at + MOST // 4]
        chosen.update(one[::step] for one in near)
    return chosen
