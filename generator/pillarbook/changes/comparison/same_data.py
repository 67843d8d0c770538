"""Whether two compiled trees hold the same data, wherever it came from."""

from pillarbook.compare.strict import canonical
from pillarbook.model import Leaf, ListNode, MapNode, Node


def is_same_data(one: Node, other: Node) -> bool:
    """Say whether two trees hold the same data, key order and types included.

    Nothing here calls itself, and nodes that both trees share are not looked into.
    """
    rest: list[tuple[Node, Node]] = [(one, other)]
    while rest:
        left, right = rest.pop()
        if left is right:
            continue
        pairs = _inside(left, right)
        if pairs is None:
            return False
        rest += pairs
    return True


def _inside(left: Node, right: Node) -> list[tuple[Node, Node]] | None:
    """Return the members of two nodes in pairs; None where they differ on their own level."""
    if isinstance(left, MapNode) and isinstance(right, MapNode):
        keys = [list(map(canonical, node.items)) for node in (left, right)]
        pairs = zip(left.items.values(), right.items.values(), strict=False)
        return list(pairs) if keys[0] == keys[1] else None
    if isinstance(left, ListNode) and isinstance(right, ListNode):
        members = zip(left.items, right.items, strict=False)
        return list(members) if len(left.items) == len(right.items) else None
    if isinstance(left, Leaf) and isinstance(right, Leaf):
        return [] if canonical(left.value) == canonical(right.value) else None
    return None
