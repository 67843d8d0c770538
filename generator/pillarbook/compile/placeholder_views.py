"""Placeholders for secrets in a compile that is repeated to see what depends on them.

A compile whose readers (templates, matchers, external pillars) are shown placeholders shows by
its result what is derived from a secret. This module puts them in; the caller decides what is
secret, and what its placeholder is.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from pillarbook.model import KeyPath, Leaf, ListNode, MapNode, Node, Origin

NoteRead = Callable[[KeyPath], None]
"""Takes the path of each value that was read."""
REPLACED = "placeholder"
"""The mark of a leaf that was replaced."""


@dataclass(slots=True, unsafe_hash=True, repr=False)
class PlaceholderOrigin(Origin):
    """The origin of a placeholder, which keeps that mark through merges.

    Code that reads a tree as plain data and makes another of it keeps origins and no marks.
    """


class PlaceholderViews(Protocol):
    """Decides which placeholders readers are shown."""

    @property
    def trees(self) -> dict[tuple[Node, KeyPath], Node]:
        """What trees became at their paths, so that they stay one object; filled."""
        ...

    def of_leaf(self, path: KeyPath, value: Any, mark: str | None, *, is_read: bool = False) -> Any:
        """Return what readers are shown for a leaf: the value itself if it is no secret."""
        ...

    def members(self, path: KeyPath, items: Mapping[Any, Any]) -> Iterator[tuple[KeyPath, Any]]:
        """Yield the members of a mapping with the paths that they are asked for by."""
        ...

    def of_held(self, path: KeyPath, value: Any) -> Any:
        """Return what a template is given in place of a literal, or of what was made of some.

        The path has the names that it is given to.
        """
        ...


def with_placeholders(
    tree: MapNode, placeholders: PlaceholderViews | None, path: KeyPath = ()
) -> MapNode:
    """Return a tree as readers are shown it; the tree itself if nothing in it is secret."""
    if placeholders is None:
        return tree
    made = _replaced(tree, placeholders, path)
    assert isinstance(made, MapNode)  # noqa: S101 (so was the tree)
    return made


class NotedDict(dict[Any, Any]):
    """A mapping that notes what is read of it, as far as that is easily seen.

    It helps to find what a value is likely made of, and nothing depends on its being complete: it
    holds its data itself, so code that goes round its methods finds the data all the same.
    """

    __slots__ = ("_pb_note", "_pb_path")

    def __init__(self, data: Mapping[Any, Any], note: NoteRead, path: KeyPath = ()) -> None:
        super().__init__(
            (key, NotedDict(item, note, (*path, key)) if isinstance(item, dict) else item)
            for key, item in data.items()
        )
        self._pb_note = note
        self._pb_path = path

    def __getitem__(self, key: Any) -> Any:
        value = super().__getitem__(key)
        if not isinstance(value, NotedDict):
            self._pb_note((*self._pb_path, key))
        return value

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the value of a key, or the default."""
        return self[key] if key in self else default  # noqa: SIM401 (this is it)

    def items(self) -> Any:
        """Return keys and values, all of them read."""
        self._pb_note(self._pb_path)
        return super().items()

    def values(self) -> Any:
        """Return the values, all of them read."""
        self._pb_note(self._pb_path)
        return super().values()


NotedDict.__module__, NotedDict.__name__ = "builtins", "dict"


def _replaced(node: Node, placeholders: PlaceholderViews, path: KeyPath) -> Node:
    known = placeholders.trees.get((node, path))
    if known is None:
        known = placeholders.trees[node, path] = _rebuilt(node, placeholders, path)
    return known


def _rebuilt(node: Node, placeholders: PlaceholderViews, path: KeyPath) -> Node:
    if isinstance(node, Leaf):
        return _rebuilt_leaf(node, placeholders, path)
    if isinstance(node, MapNode):
        members = placeholders.members(path, node.items)
        made = [_replaced(one, placeholders, asked) for asked, one in members]
        items = dict(zip(node.items, made, strict=True))
        same = all(items[key] is one for key, one in node.items.items())
        return node if same else replace(node, items=items)
    return _rebuilt_list(node, placeholders, path)


def _rebuilt_leaf(node: Leaf, placeholders: PlaceholderViews, path: KeyPath) -> Leaf:
    """Return a leaf with its placeholder; a placeholder keeps its own."""
    last = node.origins[-1:]
    if any(isinstance(origin, PlaceholderOrigin) and origin.value == node.value for origin in last):
        return node
    value = placeholders.of_leaf(path, node.value, node.secret, is_read=True)
    if value is node.value:
        return node
    made = (
        PlaceholderOrigin(one.file, one.line, one.sls, one.saltenv, value, one.below)
        for one in last
    )
    return Leaf(value, (*node.origins[:-1], *made), REPLACED)


def _rebuilt_list(node: ListNode, placeholders: PlaceholderViews, path: KeyPath) -> ListNode:
    members = tuple(
        _replaced(one, placeholders, (*path, index)) for index, one in enumerate(node.items)
    )
    same = all(made is one for made, one in zip(members, node.items, strict=True))
    return node if same else replace(node, items=members)
