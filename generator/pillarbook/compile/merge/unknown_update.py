"""Merges what is not known: what may be there or not, and mappings with keys that are not known."""

from collections.abc import Callable
from dataclasses import replace as with_changes

from pillarbook.compile.merge.replace import replace
from pillarbook.model import Leaf, ListNode, MapNode, Node
from pillarbook.model.tree import all_leaves
from pillarbook.model.unknown import Unknown, UnknownKey, unknown_of


def replace_unknown(old: Node, new: Node, *, merges: bool) -> Node:
    """Return a value that replaces one that is not known.

    If there may be no old one, its key may come later, so the value is not known in this place. If
    it ``merges``, the old value may be one of its kind.
    """
    first, second = unknown_of(old), unknown_of(new)
    assert first is not None  # noqa: S101 (asked for)
    is_there = second is None or not second.may_miss
    moves = first.moves or (first.may_miss and is_there)
    if not moves and not merges:
        return replace(old, new)
    unknown = first if second is None else first.joined(second)
    overrode = () if isinstance(new, Leaf) else new.overrode
    origins = old.origins + overrode + new.origins
    return Leaf(with_changes(unknown, may_miss=False, moves=moves), origins)


def append_unknown(old: ListNode, new: ListNode) -> Leaf | None:
    """Return what stands for two lists of which one has an unknown member; None if none has.

    A member that the first list has is not appended, and an unknown one may be any.
    """
    held = [leaf for node in (old, new) for leaf in all_leaves(node) if unknown_of(leaf)]
    if not held:
        return None
    unknown = Unknown(()).joined(*filter(None, map(unknown_of, held)))
    return Leaf(unknown, old.origins + new.origins)


def is_open(*nodes: MapNode) -> bool:
    """Say whether one of several mappings has keys that are not known."""
    return any(node.kind == "open" for node in nodes)


def update_open(base: MapNode, given: MapNode, combine: Callable[[Node, Node], Node]) -> MapNode:
    """Return two mappings merged, of which one or both have keys that are not known.

    Such a key may be any key of the other mapping.
    """
    before = with_unknown_members(base, given) if given.kind == "open" else base
    after = with_unknown_members(given, base) if base.kind == "open" else given
    items = {**before.items}
    for key, new in after.items.items():
        old = items.get(key)
        items[key] = new if old is None else combine(old, new)
    return MapNode(items, base.origins + given.origins, base.overrode + given.overrode, "open")


def with_unknown_members(node: MapNode, other: MapNode) -> MapNode:
    """Return a mapping of which each key may be one of another one's that are not known."""
    keys = [item for key, item in other.items.items() if isinstance(key, UnknownKey)]
    unknown = Unknown(()).joined(*filter(None, map(unknown_of, keys)))
    items = {key: _with_unknown(item, unknown) for key, item in node.items.items()}
    return MapNode(items, node.origins, node.overrode, "open")


def _with_unknown(node: Node, unknown: Unknown) -> Leaf:
    known = unknown_of(node)
    made = unknown if known is None else known.joined(unknown)
    may_miss = known is not None and known.may_miss
    return Leaf(with_changes(made, may_miss=may_miss), node.origins)
