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
    return _LeafMapper(change).visit(node)


class _LeafMapper:
    def __init__(self, change: Callable[[Leaf], Leaf]) -> None:
        self._change = change
        # By identity, for this tree: shared nodes stay shared, since a merge changes all places of
        # an alias.
        self._made: dict[int, Node] = {}

    def visit(self, node: Node) -> Node:
        known = self._made.get(id(node))
        if known is None:
            known = self._made[id(node)] = self._rebuild(node)
        return known

    def _rebuild(self, node: Node) -> Node:
        if isinstance(node, Leaf):
            return self._change(node)
        if isinstance(node, MapNode):
            return with_members(node, list(map(self.visit, node.items.values())))
        return with_members(node, list(map(self.visit, node.items)))
