"""Trees as the objects that Salt merges: changed in place, and shared if YAML has aliases.

A *box* (``MutableMap``, ``MutableList``) is one such object. A *slot* is one use of it: two slots
with one box are two aliases. Containers that are not shared stay immutable nodes; to change one,
another one is put in its place.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, TypeAlias, overload

from pillarbook.model import KeyPath, Leaf, ListIndex, ListNode, MapNode, Node, Origin, all_origins
from pillarbook.model.tree import ListKind, MapKind


@dataclass(slots=True, eq=False, repr=False)
class MutableMap:
    """A mapping that changes in place."""

    items: dict[Any, "NodeOrSlot"]
    origins: tuple[Origin, ...]
    kind: MapKind
    node: MapNode | None = None
    """The node that it was made from."""


@dataclass(slots=True, eq=False, repr=False)
class MutableList:
    """A list that changes in place."""

    items: list["NodeOrSlot"]
    origins: tuple[Origin, ...]
    kind: ListKind
    node: ListNode | None = None
    """The node that it was made from."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MapSlot:
    """A use of a mapping."""

    box: MutableMap
    """The mapping."""
    overrode: tuple[Origin, ...] = ()
    """Origins of the values that it replaced here."""

    @property
    def items(self) -> dict[Any, "NodeOrSlot"]:
        """The members by key."""
        return self.box.items

    @property
    def origins(self) -> tuple[Origin, ...]:
        """The places where the mapping begins."""
        return self.box.origins

    @property
    def kind(self) -> MapKind:
        """Its mapping type in Salt."""
        return self.box.kind


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ListSlot:
    """A use of a list."""

    box: MutableList
    """The list."""
    overrode: tuple[Origin, ...] = ()
    """Origins of the values that it replaced here."""

    @property
    def items(self) -> list["NodeOrSlot"]:
        """The members."""
        return self.box.items

    @property
    def origins(self) -> tuple[Origin, ...]:
        """The places where the list begins."""
        return self.box.origins

    @property
    def kind(self) -> ListKind:
        """Whether it is an aggregated list of yamlex."""
        return self.box.kind


MutableNode: TypeAlias = MutableMap | MutableList
Slot: TypeAlias = MapSlot | ListSlot
NodeOrSlot: TypeAlias = Node | Slot
AnyMap: TypeAlias = MapNode | MapSlot
AnyList: TypeAlias = ListNode | ListSlot


@overload
def thaw(node: MapNode, *, movable: bool) -> AnyMap: ...
@overload
def thaw(node: Node, *, movable: bool) -> NodeOrSlot: ...
def thaw(node: Node, *, movable: bool) -> NodeOrSlot:
    """Return a tree whose shared containers, and those above them, are mutable slots.

    If it is ``movable``, members of its mappings may become members of other mappings, too. Then
    everything below an alias gets a box, because the move makes it shared.
    """
    return _thaw(node, {}, movable=movable, below_alias=False)


def _thaw(
    node: Node, known: dict[int, MutableNode], *, movable: bool, below_alias: bool
) -> NodeOrSlot:
    if isinstance(node, Leaf) or not (node.shared or below_alias):
        return node
    box = known.get(node.alias)
    if box is None:
        below_alias = below_alias or (movable and node.alias > 0)
        if isinstance(node, MapNode):
            members = {
                key: _thaw(item, known, movable=movable, below_alias=below_alias)
                for key, item in node.items.items()
            }
            box = MutableMap(members, node.origins, node.kind, node)
        else:
            listed = [
                _thaw(item, known, movable=movable, below_alias=below_alias) for item in node.items
            ]
            box = MutableList(listed, node.origins, node.kind, node)
        if node.alias:
            known[node.alias] = box
    return (
        MapSlot(box, node.overrode) if isinstance(box, MutableMap) else ListSlot(box, node.overrode)
    )


def open_map(content: AnyMap) -> MapSlot:
    """Return a mapping as a mutable slot."""
    if isinstance(content, MapSlot):
        return content
    return MapSlot(MutableMap({**content.items}, content.origins, content.kind), content.overrode)


def copy_list(content: AnyList) -> ListSlot:
    """Return a deep copy of a list; it keeps aliases inside, but not those to objects outside."""
    if isinstance(content, ListNode):
        return ListSlot(
            MutableList([*content.items], content.origins, content.kind), content.overrode
        )
    copied: dict[MutableNode, MutableNode] = {}
    return ListSlot(_copy_list(content.box, copied), content.overrode)


def _copy(content: NodeOrSlot, copied: dict[MutableNode, MutableNode]) -> NodeOrSlot:
    if isinstance(content, MapSlot):
        known = copied.get(content.box)
        box = known if isinstance(known, MutableMap) else _copy_map(content.box, copied)
        return MapSlot(box, content.overrode)
    if isinstance(content, ListSlot):
        known = copied.get(content.box)
        listed = known if isinstance(known, MutableList) else _copy_list(content.box, copied)
        return ListSlot(listed, content.overrode)
    return content


def _copy_map(box: MutableMap, copied: dict[MutableNode, MutableNode]) -> MutableMap:
    made = copied[box] = MutableMap({}, box.origins, box.kind, box.node)
    made.items.update((key, _copy(item, copied)) for key, item in box.items.items())
    return made


def _copy_list(box: MutableList, copied: dict[MutableNode, MutableNode]) -> MutableList:
    made = MutableList([], box.origins, box.kind, box.node)
    copied[box] = made
    made.items.extend(_copy(item, copied) for item in box.items)
    return made


def origins_below(content: NodeOrSlot) -> tuple[Origin, ...]:
    """Return the origins of every leaf of a value, which a replacement overrides."""
    if not isinstance(content, MapSlot | ListSlot):
        return all_origins(content)
    found: dict[Hashable, Origin] = {}
    _gather(content, (), found, set())
    return tuple(found.values())


def _gather(
    content: NodeOrSlot, path: KeyPath, found: dict[Hashable, Origin], seen: set[MutableNode]
) -> None:
    if not isinstance(content, MapSlot | ListSlot):
        origins = all_origins(content)
    elif content.items:
        origins = content.overrode
    else:
        origins = content.overrode + content.origins
    for origin in origins:
        moved = origin
        for key in reversed(path):
            moved = moved.moved_below(key)
        found.setdefault(moved.place, moved)
    if not isinstance(content, MapSlot | ListSlot) or content.box in seen:
        return
    seen.add(content.box)
    pairs = content.items.items() if isinstance(content, MapSlot) else enumerate(content.items)
    for key, item in pairs:
        below = key if isinstance(content, MapSlot) else ListIndex(key)
        _gather(item, (*path, below), found, seen)
