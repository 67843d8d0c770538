"""The recursive merge with YAML aliases: a change of a shared object shows in all its places.

Salt makes a deep copy of the base, with its aliases, and changes the copy in place. Parts of the
other tree are inserted without a copy, with their aliases. So a member of an aliased mapping may
come to be in two mappings, and is shared from then on.

Source: Salt ``salt/utils/dictupdate.py`` (``merge_recurse``, ``update``).
"""

from pillarbook.compile.merge.append_lists import join
from pillarbook.compile.merge.dictupdate import MergeError, RecursiveUpdate
from pillarbook.compile.merge.freeze import freeze
from pillarbook.compile.merge.mutable_nodes import (
    AnyList,
    AnyMap,
    ListSlot,
    MapSlot,
    MutableList,
    MutableMap,
    NodeOrSlot,
    copy_list,
    open_map,
    thaw,
)
from pillarbook.compile.merge.replace import replace
from pillarbook.model import Leaf, ListNode, MapNode
from pillarbook.model.unknown import Unknown, UnprovenUnknown


class AliasedUpdate:
    """Merges trees of which one has aliases."""

    def __init__(self, update: RecursiveUpdate, *, merge_lists: bool) -> None:
        self._update = update
        self._merge_lists = merge_lists
        self._open: set[tuple[MutableMap, MutableMap]] = set()

    def merge(self, base: MapNode, given: MapNode) -> MapNode:
        """Return both trees merged, with new alias numbers.

        Raises:
            MergeError: An object comes to contain itself, which is possible with aliases on both
                sides.
        """
        # The base is copied, as in Salt; the other tree is not, so its aliases stay one object.
        copied = thaw(base, movable=False)
        offered = thaw(given, movable=True)
        try:
            return freeze(self._merge_maps(copied, offered))
        except RecursionError as error:
            raise MergeError("maximum recursion depth exceeded") from error
        finally:
            self._open.clear()

    def _merge_maps(self, old: AnyMap, new: AnyMap) -> MapSlot:
        if "open" in (old.kind, new.kind):
            raise UnprovenUnknown
        place, given = open_map(old), open_map(new)
        pair = (place.box, given.box)
        if pair in self._open:
            raise RecursionError
        self._open.add(pair)
        # A mapping that is merged with itself: only its lists change.
        if place.box is given.box:
            self._change_with_itself(place.box)
        else:
            self._change(place.box, given.box)
        self._open.discard(pair)
        return MapSlot(place.box, old.overrode + new.overrode)

    def _change(self, box: MutableMap, given: MutableMap) -> None:
        for key in list(given.items):  # a member may change during the loop
            new = given.items[key]
            old = box.items.get(key)
            box.items[key] = new if old is None else self._combine(old, new)
        box.origins += given.origins

    def _change_with_itself(self, box: MutableMap) -> None:
        for key, item in list(box.items.items()):
            if isinstance(item, MapSlot):
                self._change_with_itself(item.box)
            elif isinstance(item, ListSlot) and self._merge_lists:
                box.items[key] = copy_list(item)

    def _combine(self, old: NodeOrSlot, new: NodeOrSlot) -> NodeOrSlot:
        if not isinstance(old, MapSlot | ListSlot) and not isinstance(new, MapSlot | ListSlot):
            return self._update.combine(old, new)
        if isinstance(old, MapNode | MapSlot) and isinstance(new, MapNode | MapSlot):
            return self._merge_maps(old, new)
        if (
            self._merge_lists
            and isinstance(old, ListNode | ListSlot)
            and isinstance(new, ListNode | ListSlot)
        ):
            return _append(old, new)
        if _is_unknown(old) or _is_unknown(new):
            # A mapping that is changed in place is changed at its other places, too.
            raise UnprovenUnknown
        return replace(old, new)


def _holds_unknown(node: NodeOrSlot) -> bool:
    if isinstance(node, Leaf):
        return _is_unknown(node)
    members = node.items.values() if isinstance(node, MapNode | MapSlot) else node.items
    return any(map(_holds_unknown, members))


def _is_unknown(node: NodeOrSlot) -> bool:
    return isinstance(node, Leaf) and node.value.__class__ is Unknown


def _append(old: AnyList, new: AnyList) -> ListSlot:
    if any(map(_holds_unknown, (old, new))):
        raise UnprovenUnknown
    # Salt appends to a deep copy, which is no longer the object of the other aliases.
    copied = copy_list(old)
    members = join(copied.items, new.items)
    box = MutableList(members, old.origins + new.origins, old.kind)
    return ListSlot(box, old.overrode + new.overrode)
