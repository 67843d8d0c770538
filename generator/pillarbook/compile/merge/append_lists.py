"""Appends a list to another one, without the items that the first one already has.

Equality is Python's: ``1``, ``True`` and ``1.0`` are equal; two ordered mappings are equal only
with the same key order.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, overload

from pillarbook.compile.merge.mutable_nodes import (
    AnyList,
    AnyMap,
    ListSlot,
    MapSlot,
    NodeOrSlot,
    Slot,
)
from pillarbook.model import Leaf, ListNode, MapNode, Node, Origin

Member = TypeVar("Member", Node, NodeOrSlot)


def join(kept: Sequence[Member], offered: Sequence[Member], *, once: bool = False) -> list[Member]:
    """Return the items of one list, then those of another one that it does not have.

    If both lists have an item, its origins are added to those of the first one. Duplicates in
    ``kept`` stay; those in ``offered`` are added ``once``, or all of them.
    """
    merged = list(kept)
    index = _Index(merged)
    added: list[Member] = []
    for member in offered:
        position = index.find(member)
        if position is not None:
            merged[position] = note(merged[position], member)
        elif once:
            merged.append(member)
            index.add(len(merged) - 1)
        else:
            added.append(member)
    return merged + added


class _Index:
    """Finds the items of a list; for scalars, without a loop over the list."""

    def __init__(self, members: Sequence[NodeOrSlot]) -> None:
        self._members = members
        # The key has Python's equality on purpose: Salt uses `in`, for which 1, True and 1.0 are
        # equal. The first of equal items is kept, as `in` finds it.
        self._by_value: dict[Hashable, int] = {}
        self._others: list[int] = []
        for position in range(len(members)):
            self.add(position)

    def add(self, position: int) -> None:
        """Add an item of the list to the index."""
        member = self._members[position]
        if isinstance(member, Leaf) and is_hashable(member.value):
            self._by_value.setdefault(member.value, position)
        else:
            self._others.append(position)

    def find(self, member: NodeOrSlot) -> int | None:
        """Return the position of an equal item."""
        positions: Iterable[int] = self._others
        if isinstance(member, Leaf):
            if is_hashable(member.value):
                known = self._by_value.get(member.value)
                if known is not None:
                    return known
            else:  # a set equals a frozen set with the same items
                positions = range(len(self._members))
        for position in positions:
            if is_equal(self._members[position], member):
                return position
        return None


def is_hashable(value: object) -> bool:
    """Say whether a value may be a key; a tuple may hold one that may not."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def is_equal(left: NodeOrSlot, right: NodeOrSlot) -> bool:
    """Say whether Python considers the data of two values equal."""
    if isinstance(left, Leaf) or isinstance(right, Leaf):
        if not (isinstance(left, Leaf) and isinstance(right, Leaf)):
            return False
        return left.value is right.value or bool(left.value == right.value)
    if isinstance(left, MapNode | MapSlot):
        return isinstance(right, MapNode | MapSlot) and _are_equal_maps(left, right)
    if isinstance(right, MapNode | MapSlot) or len(left.items) != len(right.items):
        return False
    return all(is_equal(a, b) for a, b in zip(left.items, right.items, strict=True))


def _are_equal_maps(left: AnyMap, right: AnyMap) -> bool:
    if len(left.items) != len(right.items):
        return False
    if "plain" not in (left.kind, right.kind) and list(left.items) != list(right.items):
        return False
    return all(
        key in right.items and is_equal(item, right.items[key]) for key, item in left.items.items()
    )


@overload
def note(kept: Node, other: NodeOrSlot) -> Node: ...
@overload
def note(kept: NodeOrSlot, other: NodeOrSlot) -> NodeOrSlot: ...
def note(kept: NodeOrSlot, other: NodeOrSlot) -> NodeOrSlot:
    """Return a value that also has the origins of an equal value.

    They come before the last origin of the kept value, which still sets the value. For equal
    mappings and lists, each leaf gets them; objects that may be shared are changed in place.
    """
    if isinstance(kept, Leaf):
        secret = kept.secret or (other.secret if isinstance(other, Leaf) else None)
        return Leaf(kept.value, _put_before_last(kept, other), secret)
    if isinstance(other, Leaf):
        return kept
    if isinstance(kept, MapSlot | ListSlot):
        return _note_place(kept, other)
    origins, overrode = _put_before_last(kept, other), kept.overrode + other.overrode
    if isinstance(kept, ListNode):
        pairs = zip(kept.items, other.items, strict=True)
        members = tuple(note(mine, theirs) for mine, theirs in pairs)
        return ListNode(members, origins, overrode, kept.kind)
    theirs_by_key = _members_by_key(other)
    items = {key: note(item, theirs_by_key[key]) for key, item in kept.items.items()}
    return MapNode(items, origins, overrode, kept.kind)


def _note_place(kept: Slot, other: AnyMap | AnyList) -> Slot:
    if isinstance(other, MapSlot | ListSlot) and other.box is kept.box:
        return kept
    kept.box.origins = _put_before_last(kept, other)
    overrode = kept.overrode + other.overrode
    if isinstance(kept, ListSlot):
        pairs = zip(kept.items, other.items, strict=True)
        kept.box.items[:] = [note(mine, theirs) for mine, theirs in pairs]
        return ListSlot(kept.box, overrode)
    theirs_by_key = _members_by_key(other)
    for key, item in kept.items.items():
        kept.items[key] = note(item, theirs_by_key[key])
    return MapSlot(kept.box, overrode)


def _members_by_key(content: AnyMap | AnyList) -> Mapping[Any, NodeOrSlot]:
    return content.items if isinstance(content, MapNode | MapSlot) else {}


def _put_before_last(kept: NodeOrSlot, other: NodeOrSlot) -> tuple[Origin, ...]:
    return (*kept.origins[:-1], *other.origins, *kept.origins[-1:])
