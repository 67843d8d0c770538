"""Puts placeholders in place of secrets, for a second compile that shows what depends on them.

If templates, matchers and external pillars read placeholders, the result shows which values are
derived from secrets. The caller decides what is secret, and provides the placeholders.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pillarbook.model import KeyPath, Leaf, MapNode, Node, Origin, with_members

NoteRead = Callable[[KeyPath], None]
"""Takes the path of each value that is read."""
REPLACED = "placeholder"
"""The mark of a leaf that was replaced."""


@dataclass(slots=True, unsafe_hash=True, repr=False)
class PlaceholderOrigin(Origin):
    """The origin of a placeholder, which keeps the mark in merges.

    Code that reads a tree as plain data and makes another tree keeps origins, but not marks.
    """


class PlaceholderViews(Protocol):
    """Decides which placeholders readers are shown."""

    @property
    def trees(self) -> dict[tuple[Node, KeyPath], Node]:
        """Trees with placeholders, by the clear tree and its path; equal trees stay one object."""

    def of_leaf(self, path: KeyPath, value: Any, mark: str | None, *, is_read: bool = False) -> Any:
        """Return what a template reads for a leaf: the value itself if it is no secret."""

    def members(
        self, path: KeyPath, items: Mapping[Any, Any] | Sequence[Any]
    ) -> Iterator[tuple[KeyPath, Any]]:
        """Yield the members of a mapping or list, each with the path that the rules judge."""

    def of_data(self, path: KeyPath, data: Any) -> Any:
        """Return plain data with its secrets replaced; the same object if there are none."""

    def of_held(self, path: KeyPath, value: Any) -> Any:
        """Return the placeholder for a literal in a template, or for a value made of literals.

        The path has the names of its variables.
        """


def with_placeholders(
    tree: MapNode, placeholders: PlaceholderViews | None, path: KeyPath = ()
) -> MapNode:
    """Return a tree with placeholders; the same object if nothing in it is secret."""
    if placeholders is None:
        return tree
    made = _replaced(tree, placeholders, path)
    assert isinstance(made, MapNode)  # noqa: S101 (so was the tree)
    return made


class NotedDict(dict[Any, Any]):
    """A mapping that notes most reads of its values.

    The notes are hints on what a value may be derived from, and need not be complete: code that
    does not use its methods still finds the data.
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
        """Return keys and values, and note all of them as read."""
        self._pb_note(self._pb_path)
        return super().items()

    def values(self) -> Any:
        """Return the values, and note all of them as read."""
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
    members = placeholders.members(path, node.items)
    return with_members(node, [_replaced(one, placeholders, asked) for asked, one in members])


def _rebuilt_leaf(node: Leaf, placeholders: PlaceholderViews, path: KeyPath) -> Leaf:
    """Return a leaf with its placeholder; a placeholder stays the same."""
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
