"""What was made from objects that minions share, found again by those objects."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from pillarbook.model.limited_cache import RecentCache

T = TypeVar("T")

MAX_KEPT = 20_000
"""Results that are kept if nothing else is said."""


class SharedResults(Generic[T]):
    """Keeps results by the ids of what they were made from.

    Minions share values, changes and verdicts as objects, and to compare those by content would
    take longer than to write them again. The objects are kept with their result, so that no other
    object can get one of their ids. What is of one minion alone is let go after a while.
    """

    def __init__(self, most: int = MAX_KEPT) -> None:
        # Of two generations, the newer one is full when it has half.
        self._kept = RecentCache[tuple[Hashable, ...], tuple[tuple[object, ...], T]](most // 2)

    def find(self, make: Callable[[], T], *objects: object, also: Hashable = None) -> T:
        """Return the result for some objects, made now if they are new.

        It is made from ``objects``, each distinguished by its identity, and from ``also``,
        distinguished by equality.
        """
        # By equality first: two keys of one length have their ids at the same places.
        key = (also, *map(id, objects))
        kept: tuple[tuple[object, ...], T] | None = self._kept.get(key)
        if kept is None:
            kept = self._kept[key] = (objects, make())
        return kept[1]
