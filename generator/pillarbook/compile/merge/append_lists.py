"""Lists that are appended to one another, without what the first one already has.

Equality is Python's: ``1``, ``True`` and ``1.0`` are equal; two ordered mappings are equal only in
the same key order.
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
    """Return the members of one list, then those of another that it does not have.

    A member that the first one has too is noted among the origins of its equal. Repeats in ``kept``
    stay; those in ``offered`` are added ``once``, or all of them.
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
            index.add_last()
        else:
            added.append(member)
    return merged + added


class _Index:
    """Finds the members of a list; scalars without going through it."""

    def __init__(self, members: Sequence[NodeOrSlot]) -> None:
        self._members = members
        # Python's equality is the key on purpose: Salt tests `in` a list, for which 1, True and 1.0
        # are one member. The first of equal members is kept, as `in` finds it.
        self._by_value: dict[Hashable, int] = {}
        self._others: list[int] = []
        for position in range(len(members)):
            self._add(position)

    def add_last(self) -> None:
        """Take note of a member that the list has got at its end."""
        self._add(len(self._members) - 1)

    def _add(self, position: int) -> None:
        member = self._members[position]
        if isinstance(member, Leaf) and _is_hashable(member.value):
            self._by_value.setdefault(member.value, position)
        else:
            self._others.append(position)

    def find(self, member: NodeOrSlot) -> int | None:
        """Return the position of a member equal to this one."""
        positions: Iterable[int] = self._others
        if isinstance(member, Leaf):
            if _is_hashable(member.value):
                known = self._by_value.get(member.value)
                if known is not None:
                    return known
            else:  # a set is equal to the frozen set with its members
                positions = range(len(self._members))
        for position in positions:
            if is_equal(self._members[position], member):
                return position
        return None


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def is_equal(left: NodeOrSlot, right: NodeOrSlot) -> bool:
    """Say whether Python takes the data of two contents for equal."""
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
    """Return a content that also names the origins of an equal one.

    They come before the kept one's last origin, which stays the one that sets the value. Of equal
    mappings and lists every leaf is noted; objects that may be shared are changed in place.
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
