"""Finds the best common ancestor of two commits, also in a shallow clone.

libgit2 knows only the objects of the clone, so it reports the parents after the end of a shallow
clone as missing (docs/decisions/0012).
"""

import heapq
from collections.abc import Callable
from dataclasses import dataclass

ONE, OTHER, STALE = 1, 2, 4
"""Flags of a commit: ancestor of the first, of the other; a better common one is known."""


@dataclass(frozen=True, slots=True)
class History:
    """The place of a commit in history."""

    parents: tuple[str, ...]
    """The ids of its parents; none at the end of a shallow clone."""
    time: int
    """The time of the commit, in seconds."""


def find_merge_base(one: str, other: str, history_of: Callable[[str], History]) -> str | None:
    """Return the best common ancestor of two commits; None if they have none."""
    sides = {one: ONE}
    sides[other] = sides.get(other, 0) | OTHER
    waiting = [(-history_of(commit).time, commit) for commit in sides]
    heapq.heapify(waiting)
    found: dict[str, int] = {}
    while any(not sides[commit] & STALE for _, commit in waiting):
        order, commit = heapq.heappop(waiting)
        side = sides[commit]
        if side & (ONE | OTHER) == ONE | OTHER and not side & STALE:
            found.setdefault(commit, order)
            side |= STALE
        for parent in history_of(commit).parents:
            if sides.get(parent, 0) | side != sides.get(parent):
                sides[parent] = sides.get(parent, 0) | side
                heapq.heappush(waiting, (-history_of(parent).time, parent))
    best = [commit for commit in found if not sides[commit] & STALE]
    return min(best, key=lambda commit: (found[commit], commit), default=None)
