"""The compiled tree: immutable, shared between minions, and every leaf with its origins.

Merging makes new nodes and shares those that do not change. Nodes compare by identity, so a node
can be the key for its content in a memo.

Salt works with Python objects that YAML aliases share: a change to one shows in all of them. Two
containers of one tree with the same ``alias`` number are such an object. The numbers have no
meaning in another tree.

The classes are not declared frozen: making a frozen dataclass takes three times as long, and a
fleet makes millions. Tests check that no node is changed.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import is_
from typing import Any, Literal, TypeAlias, TypeVar

from pillarbook.model.origin import KeyPath, ListIndex, Origin

MapKind = Literal["ordered", "plain", "aggregate", "sls", "open"]
"""``ordered``: from YAML, equal to another only in the same key order; ``plain``: Python's dict;
``sls`` and ``aggregate``: yamlex's mapping, without and with the ``!aggregate`` tag; ``open``:
from YAML, with keys that are not known (``UnknownKey``)."""
ListKind = Literal["plain", "aggregate"]


# Not frozen, and made by the million: docs/decisions/0004.
@dataclass(slots=True, eq=False)
class Leaf:
    """A scalar with its origins."""

    value: Any
    """The value; anything that is neither a mapping nor a list."""
    origins: tuple[Origin, ...]
    """Oldest first; the last one set the value, the others were overridden."""
    secret: str | None = None
    """The reason for which the compiler knows it to be secret (``gpg renderer``), else None."""

    def __repr__(self) -> str:
        """Return the origins only, never the value."""
        return f"Leaf({self.origins!r})"


@dataclass(slots=True, eq=False, repr=False)
class MapNode:
    """A mapping; its key order is Salt's."""

    items: Mapping[Any, "Node"]
    """The members by key; never changed."""
    origins: tuple[Origin, ...]
    """The lines that begin the mapping; the origins of an empty one."""
    overrode: tuple[Origin, ...] = ()
    """Origins of an earlier value that is no mapping or was replaced; see ``share_overridden``."""
    kind: MapKind = "ordered"
    """Its type in Salt; decides equality and aggregation."""
    alias: int = 0
    """Number of the shared object it is within its tree; 0 for none."""
    shared: bool = False
    """Whether it or a container below it has an alias number."""


@dataclass(slots=True, eq=False, repr=False)
class ListNode:
    """A list."""

    items: tuple["Node", ...]
    """The members."""
    origins: tuple[Origin, ...]
    """The lines that begin the list; the origins of an empty one."""
    overrode: tuple[Origin, ...] = ()
    """Origins of an earlier value; see ``share_overridden``."""
    kind: ListKind = "plain"
    """Whether it has yamlex's ``!aggregate`` tag."""
    alias: int = 0
    """Number of the shared object it is within its tree; 0 for none."""
    shared: bool = False
    """Whether it or a container below it has an alias number."""


Node: TypeAlias = Leaf | MapNode | ListNode
Container = TypeVar("Container", bound=MapNode | ListNode)


def plain(node: Node) -> Any:
    """Return the data of a node as dicts and lists of its own, without origins."""
    if isinstance(node, Leaf):
        return node.value
    if isinstance(node, MapNode):
        return {key: plain(item) for key, item in node.items.items()}
    return [plain(item) for item in node.items]


def node_at(tree: Node, path: KeyPath) -> Node | None:
    """Return the node at a path of mappings; None if there is none."""
    node: Node | None = tree
    for key in path:
        node = node.items.get(key) if isinstance(node, MapNode) else None
    return node


def with_members(node: Container, members: Sequence[Node]) -> Container:
    """Return a container with other members in its places; the same one if none is another."""
    before = tuple(node.items.values()) if isinstance(node, MapNode) else node.items
    if all(map(is_, members, before)):
        return node
    is_map = isinstance(node, MapNode)
    items: Any = dict(zip(node.items, members, strict=True)) if is_map else tuple(members)
    return replace(node, items=items)


def leaves(
    node: Node, path: KeyPath = (), before: tuple[Origin, ...] = ()
) -> Iterator[tuple[KeyPath, Node, tuple[Origin, ...]]]:
    """Yield ``(path, node, origins)`` for each scalar, empty mapping and empty list, in order.

    The origins are oldest first, after ``before``: those that the node overrides.
    """
    if isinstance(node, Leaf):
        yield path, node, distinct_origins(before + node.origins)
        return
    before += node.overrode
    if not node.items:
        yield path, node, distinct_origins(before + node.origins)
    members = node.items.items() if isinstance(node, MapNode) else enumerate(node.items)
    overridden = share_overridden(node, before)
    for key, item in members:
        if isinstance(item, Leaf):  # not by a generator of its own, which takes longer
            yield (*path, key), item, distinct_origins(overridden(key) + item.origins)
        else:
            yield from leaves(item, (*path, key), overridden(key))


def share_overridden(
    node: MapNode | ListNode, before: tuple[Origin, ...]
) -> Callable[[Hashable], tuple[Origin, ...]]:
    """Return a function that says which origins the member at a key or position overrides.

    ``before`` are the origins that the container overrides. A scalar is overridden by each member.
    A value of an earlier container is overridden by the member at the same key or position; if
    there is none, by the first member: if each member did, a list of a thousand that replaces
    another one would have a million overridden values.
    """
    if not before:
        return _override_nothing
    is_list = isinstance(node, ListNode)
    first = 0 if is_list else next(iter(node.items), None)
    by_all: list[tuple[int, Origin]] = []
    by_member: dict[Hashable, list[tuple[int, Origin]]] = {}
    for at, origin in enumerate(before):
        if not origin.below:
            by_all.append((at, origin))
            continue
        key = origin.below[0]
        if isinstance(key, ListIndex):
            has_key = is_list and key < len(node.items)
        else:
            has_key = not is_list and key in node.items
        if has_key:
            by_member.setdefault(key, []).append((at, origin.moved_up()))
        else:
            by_member.setdefault(first, []).append((at, origin))

    def find(key: Hashable) -> tuple[Origin, ...]:
        # The numbers restore the order; no two are equal.
        return tuple(origin for _, origin in sorted([*by_all, *by_member.get(key, ())]))

    return find


def _override_nothing(_: Hashable) -> tuple[Origin, ...]:
    return ()


def all_leaves(node: Node) -> Iterator[Leaf]:
    """Yield the scalars of a tree, in order."""
    if isinstance(node, Leaf):
        yield node
        return
    for item in node.items.values() if isinstance(node, MapNode) else node.items:
        yield from all_leaves(item)


def all_origins(node: Node) -> tuple[Origin, ...]:
    """Return the origins of every leaf of a node, which a value that replaces it overrides."""
    if isinstance(node, Leaf):
        return node.origins
    if not node.items:
        return node.overrode + node.origins
    found = {origin.place: origin for origin in node.overrode}
    pairs = node.items.items() if isinstance(node, MapNode) else enumerate(node.items)
    for key, item in pairs:
        below = key if isinstance(node, MapNode) else ListIndex(key)
        for origin in all_origins(item):
            moved = origin.moved_below(below)
            found.setdefault(moved.place, moved)
    return tuple(found.values())


def distinct_origins(origins: tuple[Origin, ...]) -> tuple[Origin, ...]:
    """Return origins with each place once, the last time.

    A file that two others include overrides itself, which helps no reader.
    """
    if len(origins) < 2:
        return origins
    winner = origins[-1].spot
    before = (origin for origin in reversed(origins[:-1]) if origin.spot != winner)
    last = {origin.place: origin for origin in before}
    return (*reversed(last.values()), origins[-1])


def grow(
    value: Any,
    locate: Callable[[KeyPath, Any], Origin],
    path: KeyPath = (),
    kind: MapKind = "plain",
) -> Node:
    """Return plain data as a tree; a tuple is a scalar, as it is for Salt's merging.

    ``locate`` gives an origin from ``(path, value)``; for a container the value is an empty one.
    """
    if isinstance(value, Mapping):
        items = {key: grow(item, locate, (*path, key), kind) for key, item in value.items()}
        return MapNode(items, (locate(path, {}),), kind=kind)
    if isinstance(value, list):
        members = tuple(
            grow(item, locate, (*path, index), kind) for index, item in enumerate(value)
        )
        return ListNode(members, (locate(path, []),))
    return Leaf(value, (locate(path, value),))
