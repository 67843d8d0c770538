"""Turns mutable objects into an immutable tree; objects in several places get alias numbers."""

from typing import overload

from pillarbook.compile.merge.mutable_nodes import (
    AnyMap,
    ListSlot,
    MapSlot,
    MutableMap,
    MutableNode,
    NodeOrSlot,
    Slot,
)
from pillarbook.model import Leaf, ListNode, MapNode, Node


@overload
def freeze(content: AnyMap) -> MapNode: ...
@overload
def freeze(content: NodeOrSlot) -> Node: ...
def freeze(content: NodeOrSlot) -> Node:
    """Return a value as a tree.

    Objects in several places get alias numbers, in the order of first use. An object that did not
    change becomes the node that it was made from.

    Raises:
        RecursionError: An object contains itself.
    """
    if not isinstance(content, MapSlot | ListSlot):
        return content
    uses: dict[MutableNode, int] = {}
    _count(content, uses)
    return _Freezer(uses).freeze(content)


def _count(content: NodeOrSlot, uses: dict[MutableNode, int]) -> None:
    """Count the uses of each mutable object at and below a value."""
    if not isinstance(content, MapSlot | ListSlot):
        return
    known = uses.get(content.box, 0)
    uses[content.box] = known + 1
    if known:
        return
    for item in content.items.values() if isinstance(content, MapSlot) else content.items:
        _count(item, uses)


class _Freezer:
    """Makes one node for each mutable object."""

    def __init__(self, uses: dict[MutableNode, int]) -> None:
        self._uses = uses
        self._made: dict[MutableNode, MapNode | ListNode] = {}
        self._aliases = 0

    def freeze(self, content: NodeOrSlot) -> Node:
        """Return a value as a tree; the uses of one object differ only in ``overrode``."""
        if not isinstance(content, MapSlot | ListSlot):
            return content
        made = self._made.get(content.box)
        if made is None:
            made = self._made[content.box] = self._make(content)
        if _are_same(made.overrode, content.overrode):
            return made
        if isinstance(made, MapNode):
            return MapNode(
                made.items, made.origins, content.overrode, made.kind, made.alias, made.shared
            )
        return ListNode(
            made.items, made.origins, content.overrode, made.kind, made.alias, made.shared
        )

    def _make(self, place: Slot) -> MapNode | ListNode:
        alias = 0
        if self._uses[place.box] > 1:
            self._aliases += 1
            alias = self._aliases
        if isinstance(place, MapSlot):
            items = {key: self.freeze(item) for key, item in place.items.items()}
            shared = alias > 0 or any(_is_shared(item) for item in items.values())
            fresh = MapNode(items, place.origins, place.overrode, place.kind, alias, shared)
            return _same_map(place.box, fresh) or fresh
        listed = tuple(self.freeze(item) for item in place.items)
        shared = alias > 0 or any(_is_shared(item) for item in listed)
        made = ListNode(listed, place.origins, place.overrode, place.kind, alias, shared)
        old = place.box.node
        if old is not None and _is_same(old, made) and _are_same(old.items, listed):
            return old
        return made


def _same_map(box: MutableMap, fresh: MapNode) -> MapNode | None:
    """Return the node that a mapping was made from, if the new node is equal."""
    old = box.node
    if old is None or not _is_same(old, fresh) or list(old.items) != list(fresh.items):
        return None
    return old if _are_same(tuple(old.items.values()), tuple(fresh.items.values())) else None


def _is_same(old: MapNode | ListNode, fresh: MapNode | ListNode) -> bool:
    return (
        old.alias == fresh.alias
        and old.shared == fresh.shared
        and _are_same(old.overrode, fresh.overrode)
        and _are_same(old.origins, fresh.origins)
    )


def _are_same(old: tuple[object, ...], fresh: tuple[object, ...]) -> bool:
    return len(old) == len(fresh) and all(a is b for a, b in zip(old, fresh, strict=True))


def _is_shared(node: Node) -> bool:
    return not isinstance(node, Leaf) and node.shared


@overload
def without_aliases(node: MapNode) -> MapNode: ...
@overload
def without_aliases(node: Node) -> Node: ...
def without_aliases(node: Node) -> Node:
    """Return a tree without alias numbers; parts without them are not copied.

    For strategies that never change an object in place, so that aliases make no difference.
    """
    return _cut(node, {})


def _cut(node: Node, known: dict[Node, Node]) -> Node:
    if isinstance(node, Leaf) or not node.shared:
        return node
    made = known.get(node)
    if made is None:
        if isinstance(node, MapNode):
            items = {key: _cut(item, known) for key, item in node.items.items()}
            made = MapNode(items, node.origins, node.overrode, node.kind)
        else:
            listed = tuple(_cut(item, known) for item in node.items)
            made = ListNode(listed, node.origins, node.overrode, node.kind)
        known[node] = made
    return made
