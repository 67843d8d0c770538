"""A set that comes out in the order in which its members were put in.

Salt's filters hand templates Python sets, whose order changes with every process. Equality, tests
for membership and what is printed are as there; only the order is fixed.
"""

from collections.abc import Iterable, Iterator
from typing import Any


class OrderedSet(set[Any]):
    """A set with an order; what two of them make together has the left one's members first."""

    def __init__(self, members: Iterable[Any] = ()) -> None:
        self._order: dict[Any, None] = dict.fromkeys(members)
        super().__init__(self._order)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._order)

    def __repr__(self) -> str:
        return "{" + ", ".join(map(repr, self._order)) + "}" if self._order else "set()"

    def __reduce__(self) -> tuple[Any, ...]:
        return OrderedSet, (list(self._order),)

    def add(self, member: Any) -> None:
        """Put a member at the end unless it is there."""
        super().add(member)
        self._order[member] = None

    def discard(self, member: Any) -> None:
        """Take a member out if it is there."""
        super().discard(member)
        self._order.pop(member, None)

    def remove(self, member: Any) -> None:
        """Take a member out.

        Raises:
            KeyError: It is not there.
        """
        super().remove(member)
        del self._order[member]

    def pop(self) -> Any:
        """Take the first member out and return it.

        Raises:
            KeyError: There is none.
        """
        if not self._order:
            raise KeyError("pop from an empty set")
        member = next(iter(self._order))
        self.remove(member)
        return member

    def clear(self) -> None:
        """Take all members out."""
        super().clear()
        self._order.clear()

    def update(self, *others: Iterable[Any]) -> None:
        """Put the members of others at the end."""
        for other in others:
            for member in other:
                self.add(member)

    def copy(self) -> "OrderedSet":
        """Return a set of its own with the same members."""
        return OrderedSet(self._order)

    def union(self, *others: Iterable[Any]) -> "OrderedSet":
        """Return the members of all."""
        together = self.copy()
        together.update(*others)
        return together

    def intersection(self, *others: Iterable[Any]) -> "OrderedSet":
        """Return the members that all have."""
        kept = set.intersection(set(self._order), *others)
        return OrderedSet(member for member in self._order if member in kept)

    def difference(self, *others: Iterable[Any]) -> "OrderedSet":
        """Return the members that no other has."""
        kept = set.difference(set(self._order), *others)
        return OrderedSet(member for member in self._order if member in kept)

    def symmetric_difference(self, other: Iterable[Any]) -> "OrderedSet":
        """Return the members that just one has."""
        theirs = OrderedSet(other)
        return self.difference(theirs).union(theirs.difference(self))

    def __or__(self, other: Any) -> Any:
        return self.union(other) if isinstance(other, set | frozenset) else NotImplemented

    def __and__(self, other: Any) -> Any:
        return self.intersection(other) if isinstance(other, set | frozenset) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        return self.difference(other) if isinstance(other, set | frozenset) else NotImplemented

    def __xor__(self, other: Any) -> Any:
        if not isinstance(other, set | frozenset):
            return NotImplemented
        return self.symmetric_difference(other)
