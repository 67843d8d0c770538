"""The compiled tree: immutable, shared between minions, and every leaf with its origins.

A node is what it is for as long as it lives: merging makes new nodes and shares what it does not
change. Nodes compare by identity, so a node can stand for its content in a memo.

Salt works with Python objects that YAML aliases share: a change to one shows in all of them. Two
containers of one tree with the same ``alias`` number are such an object. The numbers say nothing
about another tree.

The classes are not declared frozen, because making a frozen dataclass takes three times as long
and a fleet makes millions; nobody changes a node all the same, which a law of the tests holds.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pillarbook.model.keypath import KeyPath, ListIndex
from pillarbook.model.origin import Origin

MapKind = Literal["ordered", "plain", "aggregate", "sls"]
"""``ordered``: from YAML, equal to another only in the same key order; ``plain``: Python's dict;
``sls`` and ``aggregate``: yamlex's mapping, without and with the ``!aggregate`` tag."""
ListKind = Literal["plain", "aggregate"]


# Not frozen, and made by the million: docs/decisions/0004.
@dataclass(slots=True, eq=False)
class Leaf:
    """A scalar with the places that gave it."""

    value: Any
    """The value; anything that is neither a mapping nor a list."""
    origins: tuple[Origin, ...]
    """Oldest first; the last one set the value, the others were overridden."""
    secret: str | None = None
    """Why the compiler knows it to be secret (``gpg renderer``), else None."""

    def __repr__(self) -> str:
        """Return the origins only, never the value."""
        return f"Leaf({self.origins!r})"


@dataclass(slots=True, eq=False, repr=False)
class MapNode:
    """A mapping; its key order is Salt's."""

    items: Mapping[Any, "Node"]
    """The members by key; never changed."""
    origins: tuple[Origin, ...]
    """Where the mapping itself was begun; what an empty one has for origins."""
    overrode: tuple[Origin, ...] = ()
    """Origins of what stood here before and was no mapping; overridden by every leaf below."""
    kind: MapKind = "ordered"
    """Which of Salt's mapping types it is; decides equality and aggregation."""
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
    """Where the list itself was begun; what an empty one has for origins."""
    overrode: tuple[Origin, ...] = ()
    """Origins of what stood here before; overridden by every leaf below."""
    kind: ListKind = "plain"
    """Whether yamlex's ``!aggregate`` tag stands on it."""
    alias: int = 0
    """Number of the shared object it is within its tree; 0 for none."""
    shared: bool = False
    """Whether it or a container below it has an alias number."""


Node: TypeAlias = Leaf | MapNode | ListNode


def plain(node: Node) -> Any:
    """Return the data of a node as dicts and lists of its own, without origins."""
    if isinstance(node, Leaf):
        return node.value
    if isinstance(node, MapNode):
        return {key: plain(item) for key, item in node.items.items()}
    return [plain(item) for item in node.items]


def leaves(
    node: Node, path: KeyPath = (), before: tuple[Origin, ...] = ()
) -> Iterator[tuple[KeyPath, Node, tuple[Origin, ...]]]:
    """Yield ``(path, node, origins)`` for each scalar, empty mapping and empty list, in order.

    Args:
        node: Where to begin.
        path: The path of ``node``.
        before: Origins that every leaf below overrode.

    Yields:
        The origins oldest first, those that a container above overrode in front.
    """
    if isinstance(node, Leaf):
        yield path, node, settle(before + node.origins)
        return
    before += node.overrode
    if not node.items:
        yield path, node, settle(before + node.origins)
    members = node.items.items() if isinstance(node, MapNode) else enumerate(node.items)
    for key, item in members:
        if isinstance(item, Leaf):  # not by a generator of its own, which takes longer
            yield (*path, key), item, settle(before + item.origins)
        else:
            yield from leaves(item, (*path, key), before)


def all_origins(node: Node) -> tuple[Origin, ...]:
    """Return the origins of every leaf of a node; what another value that replaces it overrides."""
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


def settle(origins: tuple[Origin, ...]) -> tuple[Origin, ...]:
    """Return origins with each place once, where it had its last word.

    A file that two others include overrides itself; nobody wants to read that.
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
    """Return plain data as a tree.

    Args:
        value: Scalars, lists and mappings; a tuple is a scalar, as it is for Salt's merging.
        locate: Gives the origin of the scalar or container at a path, from ``(path, value)``.
            For a container that is not empty the value passed is an empty one of its type.
        path: The path of ``value``.
        kind: The kind that its mappings have.
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
