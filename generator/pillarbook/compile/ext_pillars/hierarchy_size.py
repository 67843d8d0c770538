"""What keeps a hierarchy small, in which one file may be reached by ever more ways."""

from collections.abc import MutableMapping
from operator import is_

from pillarbook.model import Leaf, ListNode, MapNode, Node, Origin, distinct_origins

FEW = 8
"""So many origins may name a place twice; more are frozen."""


def weigh(node: Node, known: MutableMapping[Node, int]) -> int:
    """Return how many nodes a tree has, counted at every place where they stand.

    Args:
        node: The root.
        known: What was weighed before; filled.
    """
    if isinstance(node, Leaf):
        return 1
    if node not in known:
        items = node.items.values() if isinstance(node, MapNode) else node.items
        known[node] = 1 + sum(weigh(item, known) for item in items)
    return known[node]


def settled(node: Node, known: dict[Node, Node]) -> Node:
    """Return a tree in which long chains of origins name each place once.

    With two files that merge the same third, its origins come by both; with more such levels they
    double each time.

    Args:
        node: The root.
        known: What was frozen before; filled.
    """
    made = known.get(node)
    if made is None:
        made = known[node] = _settled(node, known)
        known[made] = made
    return made


def _settled(node: Node, known: dict[Node, Node]) -> Node:
    origins = _shorten(node.origins)
    if isinstance(node, Leaf):
        return node if origins is node.origins else Leaf(node.value, origins, node.secret)
    overrode = _shorten(node.overrode)
    is_same = origins is node.origins and overrode is node.overrode
    if isinstance(node, ListNode):
        listed = tuple(settled(item, known) for item in node.items)
        if is_same and all(map(is_, listed, node.items)):
            return node
        return ListNode(listed, origins, overrode, node.kind, node.alias, node.shared)
    items = {key: settled(item, known) for key, item in node.items.items()}
    if is_same and all(map(is_, items.values(), node.items.values())):
        return node
    return MapNode(items, origins, overrode, node.kind, node.alias, node.shared)


def _shorten(origins: tuple[Origin, ...]) -> tuple[Origin, ...]:
    if len(origins) <= FEW:
        return origins
    made = distinct_origins(origins)
    return made if len(made) < len(origins) else origins
