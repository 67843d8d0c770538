"""A set with the same order in every process.

Salt's filters return Python sets. If the hashes of all members are fixed, like those of numbers,
the order in Salt is fixed, and it is the same here. Otherwise, as for texts, Salt's order changes
with every process; here members have the order in which they were added. Equality, membership and
printed text are Python's.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

_NUMBERS = frozenset((bool, complex, int))


class OrderedSet(set[Any]):
    """A set with an order; in the result of two sets, members of the left one come first.

    In CPython, the order of a set depends on its history. So each operation is also done with a
    Python set, and if hashes are fixed, its order counts.
    """

    def __init__(self, members: Iterable[Any] = ()) -> None:
        given = _read(members)
        super().__init__(given.members)
        self._hold(set(given.members), given.order, fixed=given.fixed)

    def _hold(self, made: set[Any], order: Iterable[Any], *, fixed: bool) -> None:
        """Take the set that Python made; ``order`` has its members, and maybe others."""
        kept = {member: member for member in made}  # of equal members, the one that Python has kept
        self._made = made
        self._order = {kept[member]: None for member in order if member in kept}
        self._fixed = fixed

    def _follow(self, order: Iterable[Any] = (), *, fixed: bool = True) -> None:
        """Take the changed set of Python; ``order`` has the new members."""
        self._hold(self._made, [*self._order, *order], fixed=self._fixed and fixed)
        super().clear()
        super().update(self._made)

    @classmethod
    def _of(cls, made: set[Any], order: Iterable[Any], *, fixed: bool) -> "OrderedSet":
        derived = cls(made)
        derived._hold(made, order, fixed=fixed)
        return derived

    def __iter__(self) -> Iterator[Any]:
        return iter(self._made) if self._fixed else iter(self._order)

    def __repr__(self) -> str:
        return "{" + ", ".join(map(repr, self)) + "}" if self else "set()"

    def __reduce__(self) -> tuple[Any, ...]:
        return OrderedSet, (list(self),)

    def add(self, member: Any) -> None:
        """Add a member unless it exists."""
        if member not in self:
            self._made.add(member)
            super().add(member)
            self._order[member] = None
            self._fixed = self._fixed and _has_fixed_hash(member)

    def discard(self, member: Any) -> None:
        """Remove a member if it exists."""
        if member in self:
            self.remove(member)

    def remove(self, member: Any) -> None:
        """Remove a member.

        Raises:
            KeyError: It is missing.
        """
        self._made.remove(member)
        super().remove(member)
        del self._order[member]

    def pop(self) -> Any:
        """Remove and return the first member.

        Raises:
            KeyError: There is none.
        """
        if self._fixed:
            member = self._made.pop()
            super().remove(member)
            del self._order[member]
            return member
        for member in self._order:
            self.remove(member)
            return member
        raise KeyError("pop from an empty set")

    def clear(self) -> None:
        """Remove all members."""
        self._made.clear()
        self._follow()

    def update(self, *others: Iterable[Any]) -> None:
        """Add the members of other sets."""
        for given in map(_read, others):
            self._made.update(given.members)
            self._follow(given.order, fixed=given.fixed)

    def intersection_update(self, *others: Iterable[Any]) -> None:
        """Keep the members that all sets have."""
        kept = _read(self.intersection(*others))
        self._hold(kept.members, kept.order, fixed=kept.fixed)
        self._follow()

    def difference_update(self, *others: Iterable[Any]) -> None:
        """Remove the members of other sets."""
        self._made.difference_update(*(_read(other).members for other in others))
        self._follow()

    def symmetric_difference_update(self, other: Iterable[Any]) -> None:
        """Keep the members that only one of both sets has."""
        given = _read(other)
        self._made.symmetric_difference_update(given.members)
        self._follow(given.order, fixed=given.fixed)

    def copy(self) -> "OrderedSet":
        """Return a copy."""
        return self._of(self._made.copy(), self._order, fixed=self._fixed)

    def union(self, *others: Iterable[Any]) -> "OrderedSet":
        """Return the members of all sets."""
        together = self.copy()
        together.update(*others)
        return together

    def intersection(self, *others: Iterable[Any]) -> "OrderedSet":
        """Return the members that all sets have."""
        if not others:
            return self.copy()
        made, fixed = self._made, self._fixed
        for given in map(_read, others):
            # Python iterates over the smaller of two sets, so its order counts.
            mine = isinstance(given.members, set | frozenset) and len(given.members) > len(made)
            fixed = fixed if mine else given.fixed
            made = made.intersection(given.members)
        return self._of(made, self._order, fixed=fixed)

    def difference(self, *others: Iterable[Any]) -> "OrderedSet":
        """Return the members that no other set has."""
        made = self._made.difference(*(_read(other).members for other in others))
        return self._of(made, self._order, fixed=self._fixed)

    def symmetric_difference(self, other: Iterable[Any]) -> "OrderedSet":
        """Return the members that only one of both sets has."""
        given = _read(other)
        made = self._made.symmetric_difference(given.members)
        fixed = self._fixed and given.fixed
        return self._of(made, [*self._order, *given.order], fixed=fixed)

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


OrderedSet.__name__ = "set"  # errors name an object by its class


class _Given(NamedTuple):
    """The operand of an operation."""

    members: Any
    """The members, in a form from which Python makes the same set as from the operand."""
    order: Iterable[Any]
    """The members, in an order that is the same in every process."""
    fixed: bool
    """Whether this is Python's order."""


def _read(members: Iterable[Any]) -> _Given:
    if isinstance(members, OrderedSet):
        return _Given(members._made, members._order, members._fixed)  # noqa: SLF001 (of its kind)
    if isinstance(members, set | frozenset):
        return _Given(members, list_members(members), _are_fixed(members))
    if isinstance(members, dict) and not isinstance(members, OrderedDict):
        # Python makes room for all keys of a dict at once; the storage of a view is empty.
        members = dict.fromkeys(members)
    elif not isinstance(members, tuple):
        members = list(members)
    return _Given(members, members, _are_fixed(members))


def list_members(members: set[Any] | frozenset[Any]) -> list[Any]:
    """Return the members of a Python set in an order that is the same in every process."""
    return list(members) if _are_fixed(members) else sorted(members, key=repr)


def _are_fixed(members: Iterable[Any]) -> bool:
    return all(map(_has_fixed_hash, members))


def _has_fixed_hash(member: Any) -> bool:
    """Say whether a value has the same hash in every process; for None, from Python 3.12 on."""
    if isinstance(member, tuple | frozenset):
        return _are_fixed(member)
    if isinstance(member, float):
        return member == member  # noqa: PLR0124 (what is not a number hashes by its address)
    return type(member) in _NUMBERS or member in ("", b"")
