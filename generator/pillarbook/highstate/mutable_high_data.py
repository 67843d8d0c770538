"""High data as the objects that Salt changes in place.

Salt appends to the lists of a state and puts keys into its mappings, so these are Python's own
here, each with the origins of the node that it was. What Salt never changes stays a node.
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
        """Where it was begun."""


class HighList(list[Any]):
    """A list that changes in place."""

    __slots__ = ("origins",)

    def __init__(self, items: Iterable[Any], origins: tuple[Origin, ...]) -> None:
        super().__init__(items)
        self.origins = origins
        """Where it was begun."""


HighNode: TypeAlias = Node | HighMap | HighList
AliasedObjects: TypeAlias = dict[tuple[int, int], HighMap | HighList]
"""The objects that YAML aliases share, by alias number and how deep they were opened."""
DEPTH = 5
"""Levels that Salt changes: IDs, states, arguments, one argument, the list of a requisite."""


def opened(node: Node, known: AliasedObjects, depth: int = DEPTH) -> HighNode:
    """Return a node with its upper levels as objects that change in place.

    Args:
        node: The node.
        known: The shared objects of its document so far; filled.
        depth: How many levels are opened.
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
    """Return a content as a tree that is never changed again."""
    if isinstance(content, HighMap):
        items = {key: closed(item) for key, item in content.items()}
        return MapNode(items, content.origins, kind="plain")
    if isinstance(content, HighList):
        return ListNode(tuple(map(closed, content)), content.origins)
    return without_aliases(content)


def copied(content: HighNode, known: dict[int, HighNode]) -> HighNode:
    """Return a deep copy; objects that are one stay one.

    Args:
        content: What is copied; nodes need no copy.
        known: The copies so far; filled.
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
    """Return a value in the place of another one, whose origins it overrides."""
    if old is None or old is new:
        return new
    before = all_origins(closed(old))
    if isinstance(new, Leaf):
        return replace(new, origins=(*before, *new.origins))
    if isinstance(new, MapNode | ListNode):
        return replace(new, overrode=(*before, *new.overrode))
    return new


def leaf_at(value: Any, origins: tuple[Origin, ...]) -> Leaf:
    """Return a scalar that Salt puts in by itself, at the place of what it follows from."""
    if not origins:
        return Leaf(value, ())
    last = origins[-1]
    return Leaf(value, (Origin(last.file, last.line, last.sls, last.saltenv, value),))


def text_of(content: HighNode) -> str | None:
    """Return the text that a content is; None where it is none."""
    value = content.value if isinstance(content, Leaf) else None
    return value if isinstance(value, str) else None


def value_of(content: HighNode) -> Any:
    """Return the scalar that a content is; a container has none, and is equal to nothing."""
    return content.value if isinstance(content, Leaf) else content
