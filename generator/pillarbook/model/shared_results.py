"""What was made from objects that minions share, found again by those objects."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")

MAX_KEPT = 20_000
"""Results that are kept if nothing else is said."""


class SharedResults(Generic[T]):
    """Keeps results by the ids of what they were made from.

    Minions share values, changes and verdicts as objects, and to compare those by content would
    take longer than to write them again. The objects are kept with their result, so that no other
    object can get one of their ids. All is let go at once when too much is kept: that is cheaper
    than to know what will not come again.
    """

    def __init__(self, most: int = MAX_KEPT) -> None:
        self._most = most
        self._kept: dict[tuple[Hashable, ...], tuple[tuple[object, ...], T]] = {}

    def find(self, make: Callable[[], T], *objects: object, also: Hashable = None) -> T:
        """Return the result for some objects, made now if they are new.

        Args:
            make: Makes the result.
            objects: What it is made from, each distinguished by its identity.
            also: What else it is made from, distinguished by equality.
        """
        # By equality first: two keys of one length have their ids at the same places.
        key = (also, *map(id, objects))
        kept = self._kept.get(key)
        if kept is None:
            if len(self._kept) >= self._most:
                self._kept.clear()
            kept = self._kept[key] = (objects, make())
        return kept[1]
