"""High data as the objects that Salt changes in place.

Salt appends to the lists of a state and adds keys to its mappings, so these are Python's own here,
each with the origins of its node. The parts that Salt never changes remain nodes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from pillarbook.compile.merge.freeze import without_aliases
from pillarbook.model import Leaf, ListNode, MapNode, Node, Origin, all_origins


class HighMap(dict[Any, Any]):
    """A mapping that changes in place."""

    __slots__ = ("origins",)

    def __init__(self, items: Mapping[Any, Any], origins: tuple[Origin, ...]) -> None:
        super().__init__(items)
        self.origins = origins


class HighList(list[Any]):
    """A list that changes in place."""

    __slots__ = ("origins",)

    def __init__(self, items: Iterable[Any], origins: tuple[Origin, ...]) -> None:
        super().__init__(items)
        self.origins = origins


HighNode: TypeAlias = Node | HighMap | HighList
AliasedObjects: TypeAlias = dict[tuple[int, int], HighMap | HighList]
"""The objects that YAML aliases share, by alias number and how deep they were opened."""
DEPTH = 5
"""Levels that Salt changes: IDs, states, arguments, one argument, the list of a requisite."""


def opened(node: Node, known: AliasedObjects, depth: int = DEPTH) -> HighNode:
    """Return a node with ``depth`` upper levels as objects that change in place.

    ``known`` has the shared objects of the document so far, and is filled.
    """
    if isinstance(node, Leaf) or depth == 0:
        return node
    met = known.get((node.alias, depth)) if node.alias else None
    if met is not None:
        return met
    made: HighMap | HighList
    if isinstance(node, MapNode):
        items = {key: opened(item, known, depth - 1) for key, item in node.items.items()}
        made = HighMap(items, node.origins)
    else:
        made = HighList((opened(item, known, depth - 1) for item in node.items), node.origins)
    if node.alias:
        known[node.alias, depth] = made
    return made


def closed(content: HighNode) -> Node:
    """Return an immutable tree."""
    if isinstance(content, HighMap):
        items = {key: closed(item) for key, item in content.items()}
        return MapNode(items, content.origins, kind="plain")
    if isinstance(content, HighList):
        return ListNode(tuple(map(closed, content)), content.origins)
    return without_aliases(content)


def copied(content: HighNode, known: dict[int, HighNode]) -> HighNode:
    """Return a deep copy that shares objects as the original does; nodes need no copy.

    ``known`` has the copies so far by the originals' identity, and is filled.
    """
    if not isinstance(content, HighMap | HighList):
        return content
    met = known.get(id(content))
    if met is not None:
        return met
    if isinstance(content, HighMap):
        opened_map = known[id(content)] = HighMap({}, content.origins)
        opened_map.update({key: copied(item, known) for key, item in content.items()})
        return opened_map
    opened_list = known[id(content)] = HighList((), content.origins)
    opened_list.extend(copied(item, known) for item in content)
    return opened_list


def over(old: HighNode | None, new: HighNode) -> HighNode:
    """Return a value that replaces another one and overrides its origins."""
    if old is None or old is new:
        return new
    before = all_origins(closed(old))
    if isinstance(new, Leaf):
        return replace(new, origins=(*before, *new.origins))
    if isinstance(new, MapNode | ListNode):
        return replace(new, overrode=(*before, *new.overrode))
    return new


def leaf_at(value: Any, origins: tuple[Origin, ...]) -> Leaf:
    """Return a scalar that Salt itself adds, on the line of its cause."""
    if not origins:
        return Leaf(value, ())
    last = origins[-1]
    return Leaf(value, (Origin(last.file, last.line, last.sls, last.saltenv, value),))


def text_of(content: HighNode) -> str | None:
    """Return a text; None for anything else."""
    value = content.value if isinstance(content, Leaf) else None
    return value if isinstance(value, str) else None


def value_of(content: HighNode) -> Any:
    """Return a scalar; a container is returned as it is, and is equal to no scalar."""
    return content.value if isinstance(content, Leaf) else content
