"""Marks leaves that the compiler knows to be secret, with the reason."""

from collections.abc import Callable
from typing import Any

from pillarbook.model import Leaf, MapNode, Node, Origin, SecretOrigin, with_members


def mark_secret(node: Node, reason: str) -> Node:
    """Return a tree with every leaf marked as secret, except nulls."""

    def mark(leaf: Leaf) -> Leaf:
        is_open = leaf.value is None or leaf.secret is not None
        return leaf if is_open else secret_leaf(leaf.value, leaf.origins, reason)

    return map_leaves(node, mark)


def secret_leaf(
    value: Any, origins: tuple[Origin, ...], reason: str, ciphertext: bytes | None = None
) -> Leaf:
    """Return a secret leaf whose last origin is marked as well, for when it is overridden.

    The last of the ``origins`` set the value, or its ciphertext, of which ``ciphertext`` is the
    digest.
    """
    last = (SecretOrigin.of(one, value, reason, ciphertext) for one in origins[-1:])
    return Leaf(value, (*origins[:-1], *last), reason)


def map_leaves(node: Node, change: Callable[[Leaf], Leaf]) -> Node:
    """Return a tree with each leaf changed; unchanged parts are the same objects.

    A leaf or container in several places is changed once, so that it stays shared.
    """
    # By identity, for this tree: shared nodes stay shared, since a merge changes all places of an
    # alias.
    made: dict[int, Node] = {}

    def visit(node: Node) -> Node:
        known = made.get(id(node))
        if known is None:
            if isinstance(node, Leaf):
                known = change(node)
            else:
                items = node.items.values() if isinstance(node, MapNode) else node.items
                known = with_members(node, list(map(visit, items)))
            made[id(node)] = known
        return known

    return visit(node)
