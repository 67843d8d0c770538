"""Replaces a value by another one, and keeps the origins of both."""

from typing import overload

from pillarbook.compile.merge.mutable_nodes import ListSlot, MapSlot, NodeOrSlot, origins_below
from pillarbook.model import Leaf, MapNode, Node
from pillarbook.model.tree import ListNode


@overload
def replace(old: Node, new: Node) -> Node: ...
@overload
def replace(old: NodeOrSlot, new: NodeOrSlot) -> NodeOrSlot: ...
def replace(old: NodeOrSlot, new: NodeOrSlot) -> NodeOrSlot:
    """Return the new value, with the origins of the old one as overridden.

    A leaf has the old origins before its own; a container has them in ``overrode``, so that nothing
    below it changes. Places that both values have are not overridden: Salt merges an SLS with
    itself if an include finds it twice.
    """
    before = origins_below(old)
    if isinstance(new, Leaf):
        return Leaf(new.value, before + new.origins, new.secret)
    own = {origin.place for origin in origins_below(new)}
    before = tuple(origin for origin in before if origin.place not in own)
    if isinstance(new, MapSlot):
        return MapSlot(new.box, before + new.overrode)
    if isinstance(new, ListSlot):
        return ListSlot(new.box, before + new.overrode)
    before += new.overrode
    if isinstance(new, MapNode):
        return MapNode(new.items, new.origins, before, new.kind, new.alias, new.shared)
    return ListNode(new.items, new.origins, before, new.kind, new.alias, new.shared)


def yield_origins(old: MapNode, new: MapNode) -> MapNode:
    """Return the old mapping without the origins that the new mapping also has.

    For a new mapping that was made from the old one, with all those origins. Otherwise it would
    seem to override the values that it keeps.
    """
    items = {
        key: _yield(item, new.items[key]) if key in new.items else item
        for key, item in old.items.items()
    }
    return MapNode(items, (), (), old.kind, old.alias, old.shared)


def _yield(old: Node, new: Node) -> Node:
    if isinstance(old, MapNode) and isinstance(new, MapNode):
        return yield_origins(old, new)
    return _without_origins(old)


def _without_origins(node: Node) -> Node:
    if isinstance(node, Leaf):
        return Leaf(node.value, (), node.secret)
    if isinstance(node, ListNode):
        listed = tuple(_without_origins(item) for item in node.items)
        return ListNode(listed, (), (), node.kind, node.alias, node.shared)
    items = {key: _without_origins(item) for key, item in node.items.items()}
    return MapNode(items, (), (), node.kind, node.alias, node.shared)
