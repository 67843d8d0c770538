"""Joins what a file gives for different answers: what is not the same in all is unknown."""

from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any

from pillarbook.compile.renderers.unknown_text import unknown_leaf
from pillarbook.model import Leaf, ListNode, MapNode, Node
from pillarbook.model.unknown import Unknown, unknown_of


def join_trees(one: MapNode, other: MapNode, unknown: Unknown) -> MapNode:
    """Return a tree in which all that differs between two trees is unknown."""
    joined = _Joiner(unknown).join(one, other)
    assert isinstance(joined, MapNode)  # noqa: S101 (as both are)
    return joined


class _Joiner:
    def __init__(self, unknown: Unknown) -> None:
        self._unknown = unknown

    def join(self, one: Node, other: Node) -> Node:
        """Return what two values have in common."""
        if one is other:
            return one
        if isinstance(one, MapNode) and isinstance(other, MapNode):
            return self._join_maps(one, other)
        if isinstance(one, ListNode) and isinstance(other, ListNode) and _are_alike(one, other):
            return replace(one, items=tuple(map(self.join, one.items, other.items)))
        if isinstance(one, Leaf) and isinstance(other, Leaf) and _are_same(one, other):
            return one
        sealed = unknown_of(one)
        if sealed is not None and sealed.ciphertext is not None and sealed is unknown_of(other):
            return one
        return unknown_leaf(one, self._of(one, other))

    def _of(self, *nodes: Node) -> Unknown:
        """Return what stands for values that are not all the same."""
        found = [unknown_of(node) for node in nodes]
        unknown = [one for one in found if one is not None]
        if len(unknown) < len(nodes):
            unknown.append(self._unknown)
        joined = unknown[0].joined(*unknown[1:])
        return replace(joined, may_miss=any(one.may_miss for one in unknown))

    def _join_maps(self, one: MapNode, other: MapNode) -> MapNode:
        moved = _moved_keys(one, other)
        items: dict[Any, Node] = {}
        for key, item in one.items.items():
            theirs = other.items.get(key)
            if theirs is None:
                items[key] = self._missing(item)
            elif key in moved:
                items[key] = unknown_leaf(item, self._of(item, theirs, one))
            else:
                items[key] = self.join(item, theirs)
        for key, item in other.items.items():
            if key not in one.items:
                items[key] = self._missing(item)
        kind = "open" if "open" in (one.kind, other.kind) else one.kind
        if kind == "plain":  # an empty document
            kind = other.kind
        same = kind == one.kind and all(one.items.get(key) is item for key, item in items.items())
        return one if same else replace(one, items=items, kind=kind)

    def _missing(self, node: Node) -> Leaf:
        known = unknown_of(node)
        unknown = self._unknown if known is None else known.joined(self._unknown)
        return unknown_leaf(node, replace(unknown, may_miss=True))


def _are_alike(one: ListNode, other: ListNode) -> bool:
    return len(one.items) == len(other.items) and one.kind == other.kind


def _are_same(one: Leaf, other: Leaf) -> bool:
    first, second = one.value, other.value
    same = first.__class__ is second.__class__ and repr(first) == repr(second)
    return same and one.secret == other.secret and unknown_of(one) is None


def _moved_keys(one: MapNode, other: MapNode) -> frozenset[Any]:
    """Return keys without which the others are in the same order in both."""
    first = [key for key in one.items if key in other.items]
    second = [key for key in other.items if key in one.items]
    if first == second:
        return frozenset()
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    kept = {
        key for block in matcher.get_matching_blocks() for key in first[block.a :][: block.size]
    }
    return frozenset(first) - kept
