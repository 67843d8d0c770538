"""A set whose order is the same in every process.

Salt's filters hand templates Python sets. Where the hash of every member is fixed, as those of
numbers are, so is the order in Salt, and it is the same here. Where one is not, as that of a text,
Salt's order changes with every process; here members come in the order in which they were put in.
Equality, tests for membership and what is printed are Python's either way.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

_NUMBERS = frozenset((bool, complex, int))


class OrderedSet(set[Any]):
    """A set with an order; what two of them make together has the left one's members first.

    CPython's order follows from how a set was made and not from its members alone. So each
    operation is made on a set of Python's own too, and where hashes are fixed its order counts.
    """

    def __init__(self, members: Iterable[Any] = ()) -> None:
        given = _read(members)
        super().__init__(given.members)
        self._hold(set(given.members), given.order, fixed=given.fixed)

    def _hold(self, made: set[Any], order: Iterable[Any], *, fixed: bool) -> None:
        """Hold what Python made; ``order`` has its members, and may have others."""
        kept = {member: member for member in made}  # of equal ones, the one that Python kept
        self._made = made
        self._order = {kept[member]: None for member in order if member in kept}
        self._fixed = fixed

    def _follow(self, order: Iterable[Any] = (), *, fixed: bool = True) -> None:
        """Hold what Python's set has become; ``order`` has what is new."""
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
        """Put a member in unless it is there."""
        if member not in self:
            self._made.add(member)
            super().add(member)
            self._order[member] = None
            self._fixed = self._fixed and _has_fixed_hash(member)

    def discard(self, member: Any) -> None:
        """Take a member out if it is there."""
        if member in self:
            self.remove(member)

    def remove(self, member: Any) -> None:
        """Take a member out.

        Raises:
            KeyError: It is missing.
        """
        self._made.remove(member)
        super().remove(member)
        del self._order[member]

    def pop(self) -> Any:
        """Take the first member out and return it.

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
        """Take all members out."""
        self._made.clear()
        self._follow()

    def update(self, *others: Iterable[Any]) -> None:
        """Put the members of others in."""
        for given in map(_read, others):
            self._made.update(given.members)
            self._follow(given.order, fixed=given.fixed)

    def intersection_update(self, *others: Iterable[Any]) -> None:
        """Keep the members that all have."""
        kept = _read(self.intersection(*others))
        self._hold(kept.members, kept.order, fixed=kept.fixed)
        self._follow()

    def difference_update(self, *others: Iterable[Any]) -> None:
        """Take the members of others out."""
        self._made.difference_update(*(_read(other).members for other in others))
        self._follow()

    def symmetric_difference_update(self, other: Iterable[Any]) -> None:
        """Keep the members that just one has."""
        given = _read(other)
        self._made.symmetric_difference_update(given.members)
        self._follow(given.order, fixed=given.fixed)

    def copy(self) -> "OrderedSet":
        """Return a set of its own with the same members."""
        return self._of(self._made.copy(), self._order, fixed=self._fixed)

    def union(self, *others: Iterable[Any]) -> "OrderedSet":
        """Return the members of all."""
        together = self.copy()
        together.update(*others)
        return together

    def intersection(self, *others: Iterable[Any]) -> "OrderedSet":
        """Return the members that all have."""
        if not others:
            return self.copy()
        made, fixed = self._made, self._fixed
        for given in map(_read, others):
            # Of two sets Python goes through the smaller one, whose order then counts.
            mine = isinstance(given.members, set | frozenset) and len(given.members) > len(made)
            fixed = fixed if mine else given.fixed
            made = made.intersection(given.members)
        return self._of(made, self._order, fixed=fixed)

    def difference(self, *others: Iterable[Any]) -> "OrderedSet":
        """Return the members that no other has."""
        made = self._made.difference(*(_read(other).members for other in others))
        return self._of(made, self._order, fixed=self._fixed)

    def symmetric_difference(self, other: Iterable[Any]) -> "OrderedSet":
        """Return the members that just one has."""
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
    """What an operation is given."""

    members: Any
    """In a form of which Python makes the same set as of what was given."""
    order: Iterable[Any]
    """The members, in an order that is the same in every process."""
    fixed: bool
    """Whether that is the order in which Python goes through them."""


def _read(members: Iterable[Any]) -> _Given:
    if isinstance(members, OrderedSet):
        return _Given(members._made, members._order, members._fixed)  # noqa: SLF001 (of its kind)
    if isinstance(members, set | frozenset):
        return _Given(members, list_members(members), _are_fixed(members))
    if isinstance(members, dict) and not isinstance(members, OrderedDict):
        # Python makes room for all keys of a dict at once. A view's are not in its storage.
        members = dict.fromkeys(members)
    elif not isinstance(members, tuple):
        members = list(members)
    return _Given(members, members, _are_fixed(members))


def list_members(members: set[Any] | frozenset[Any]) -> list[Any]:
    """Return the members of one of Python's sets in an order that is the same in every process."""
    return list(members) if _are_fixed(members) else sorted(members, key=repr)


def _are_fixed(members: Iterable[Any]) -> bool:
    return all(map(_has_fixed_hash, members))


def _has_fixed_hash(member: Any) -> bool:
    """Say whether a value has the same hash in every process; None has so from Python 3.12 on."""
    if isinstance(member, tuple | frozenset):
        return _are_fixed(member)
    if isinstance(member, float):
        return member == member  # noqa: PLR0124 (what is not a number hashes by its address)
    return type(member) in _NUMBERS or member in ("", b"")
