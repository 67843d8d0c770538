"""Merges by yamlex's ``!aggregate`` tag: tagged values are combined, others are replaced.

Source: Salt ``salt/utils/aggregation.py`` (``aggregate``, ``mark``).
"""

from pillarbook.compile.merge.append_lists import join
from pillarbook.compile.merge.dictupdate import SubMerges
from pillarbook.compile.merge.freeze import freeze
from pillarbook.compile.merge.mutable_nodes import (
    AnyMap,
    ListSlot,
    MapSlot,
    MutableList,
    MutableMap,
    NodeOrSlot,
    origins_below,
)
from pillarbook.compile.merge.replace import replace
from pillarbook.compile.merge.unknown_update import replace_unknown
from pillarbook.model import Leaf, ListNode, MapNode, Node, Origin
from pillarbook.model.unknown import unknown_of


class Aggregation:
    """Merges values by their tags; no object is changed in place."""

    def __init__(self, memo: SubMerges | None = None) -> None:
        self._memo = memo

    def combine(self, old: NodeOrSlot, new: NodeOrSlot) -> NodeOrSlot:
        """Return the result of merging a new value over an old one, and cache it."""
        if (
            self._memo is None
            or isinstance(old, MapSlot | ListSlot)
            or isinstance(new, MapSlot | ListSlot)
        ):
            return self.aggregate(old, new)
        made = self._memo.get((old, new))
        if made is None:
            made = self._memo[old, new] = freeze(self.aggregate(old, new))
        return made

    def aggregate(self, old: NodeOrSlot, new: NodeOrSlot) -> NodeOrSlot:
        """Return the combination of two values, without the cache."""
        if isinstance(old, MapNode | MapSlot) and isinstance(new, MapNode | MapSlot):
            return self._merge_maps(old, new)
        if (
            isinstance(old, ListNode | ListSlot)
            and isinstance(new, ListNode | ListSlot)
            and old.kind == new.kind == "aggregate"
        ):
            box = MutableList(join(old.items, new.items), old.origins + new.origins, old.kind)
            return ListSlot(box, old.overrode + new.overrode)
        if isinstance(old, Leaf) and unknown_of(old) and not isinstance(new, MapSlot | ListSlot):
            # No unknown value is tagged, so nothing is combined with it.
            return replace_unknown(old, new, merges=False)
        return replace(old, _copy(new))

    def _merge_maps(self, old: AnyMap, new: AnyMap) -> MapSlot:
        gathers = old.kind == new.kind == "aggregate"
        # Unless both are tagged, a key that only the old mapping has is lost.
        items: dict[object, NodeOrSlot] = {**old.items} if gathers else {**new.items}
        overrode = old.overrode
        if not gathers:
            overrode += _origins_lost(old, new)
        for key, value in new.items.items():
            before = old.items.get(key)
            items[key] = value if before is None else self.combine(before, value)
        kind = old.kind if gathers else new.kind
        return MapSlot(MutableMap(items, old.origins + new.origins, kind), overrode + new.overrode)


def _origins_lost(old: AnyMap, new: AnyMap) -> tuple[Origin, ...]:
    lost: tuple[Origin, ...] = ()
    for key, item in old.items.items():
        if key not in new.items:
            lost += tuple(origin.moved_below(key) for origin in origins_below(item))
    return lost


def _copy(content: NodeOrSlot) -> NodeOrSlot:
    """Return a new container with the same members."""
    if isinstance(content, MapSlot):
        box = MutableMap({**content.items}, content.origins, content.kind)
        return MapSlot(box, content.overrode)
    if isinstance(content, ListSlot):
        listed = MutableList([*content.items], content.origins, content.kind)
        return ListSlot(listed, content.overrode)
    return content


def mark(node: Node) -> MapNode | ListNode:
    """Return a tree as if it had the tag: a scalar becomes a list."""
    if isinstance(node, MapNode):
        return MapNode(node.items, node.origins, node.overrode, "aggregate")
    if isinstance(node, ListNode):
        return ListNode(node.items, node.origins, node.overrode, "aggregate")
    if isinstance(node.value, tuple | set):
        members = tuple(Leaf(value, node.origins, node.secret) for value in node.value)
        return ListNode(members, node.origins, kind="aggregate")
    return ListNode((node,), node.origins, kind="aggregate")
