"""Merges the files of a hierarchy: the upper value counts, and the lower one fills gaps.

The upper value is changed in place, so that the change is also visible through YAML aliases.

Source: ``hierarchy_pillar.py`` of salt_hierarchy_pillar (``combine_two``).
"""

from pillarbook.compile.merge.append_lists import join
from pillarbook.compile.merge.mutable_nodes import (
    AnyList,
    AnyMap,
    ListSlot,
    MapSlot,
    MutableList,
    NodeOrSlot,
    open_map,
)
from pillarbook.compile.merge.replace import replace
from pillarbook.model import Leaf, ListNode, MapNode

REPLACE = "_replace"
CONTROL = "_control"


def combine(upper: NodeOrSlot, lower: NodeOrSlot) -> NodeOrSlot:
    """Merge two values: the upper one counts and is changed; the lower one fills gaps.

    Mappings are merged key by key, and missing items are appended to lists. For other values, or
    two different types, the upper value counts. Mappings of an SLS have another type than those of
    a hierarchy, so Salt merges these itself later. Parts of the lower value may become parts of the
    upper value.
    """
    if upper.__class__ is Leaf or lower.__class__ is Leaf:
        return replace(lower, upper)
    if isinstance(upper, MapNode | MapSlot) and isinstance(lower, MapNode | MapSlot):
        joins = upper.kind == lower.kind == "plain" and not _keeps_away(upper)
        return _fill(upper, lower) if joins else _outrank(upper, lower)
    if isinstance(upper, ListNode | ListSlot) and isinstance(lower, ListNode | ListSlot):
        return _extend(open_list(upper), lower)
    return replace(lower, upper)


def open_list(content: AnyList) -> ListSlot:
    """Return a list as a mutable slot."""
    if isinstance(content, ListSlot):
        return content
    return ListSlot(MutableList([*content.items], content.origins, content.kind), content.overrode)


def _keeps_away(upper: AnyMap) -> bool:
    control = upper.items.get(CONTROL)
    return isinstance(control, Leaf) and bool(control.value == REPLACE)


def _fill(upper: AnyMap, lower: AnyMap) -> MapSlot:
    place = open_map(upper)
    for key, value in list(lower.items.items()):  # aliases can change it during the loop
        mine = place.items.get(key)
        place.items[key] = value if mine is None else combine(mine, value)
    return _joined_map(place, lower)


def _outrank(upper: AnyMap, lower: AnyMap) -> MapSlot:
    """Note that each value of a mapping overrides the value of the same key in another one."""
    place = open_map(upper)
    for key, value in list(lower.items.items()):
        mine = place.items.get(key)
        if isinstance(mine, MapNode | MapSlot) and isinstance(value, MapNode | MapSlot):
            place.items[key] = _outrank(mine, value)
        elif mine is not None:
            place.items[key] = replace(value, mine)
    return _joined_map(place, lower)


def _joined_map(place: MapSlot, lower: AnyMap) -> MapSlot:
    if isinstance(lower, MapSlot) and lower.box is place.box:
        return place
    place.box.origins = lower.origins + place.box.origins
    return MapSlot(place.box, lower.overrode + place.overrode)


def _extend(place: ListSlot, lower: AnyList) -> NodeOrSlot:
    box = place.box
    first = box.items[0] if box.items else None
    if isinstance(first, Leaf) and first.value == REPLACE:
        before = replace(lower, place)
        del box.items[0]
        return before
    if lower.kind != "plain" or (isinstance(lower, ListSlot) and lower.box is box):
        return place
    box.items[:] = join(box.items, lower.items, once=True)
    box.origins = lower.origins + box.origins
    return ListSlot(box, lower.overrode + place.overrode)
