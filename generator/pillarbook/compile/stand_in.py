"""What stands in for secrets in a compile that is repeated to see what depends on them.

A compile whose readers (templates, matchers, external pillars) are shown stand-ins tells by its
result what is derived from a secret. Here is where a compile puts them in; what is secret, and
what stands in for it, is for others to say.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from pillarbook.model import KeyPath, Leaf, ListNode, MapNode, Node, Origin

NoteRead = Callable[[KeyPath], None]
"""Is told of the path of each value that was read."""
REPLACED = "stand-in"
"""The mark of a leaf that was replaced."""


@dataclass(slots=True, unsafe_hash=True, repr=False)
class StandInOrigin(Origin):
    """The origin of a stand-in, which says so wherever merging takes it.

    What reads a tree as plain data and makes another of it keeps origins and no marks.
    """


class StandIns(Protocol):
    """Says what readers are shown in the place of secrets."""

    @property
    def trees(self) -> dict[tuple[Node, KeyPath], Node]:
        """What trees became at their paths, so that they stay one object; filled."""
        ...

    def of_leaf(self, path: KeyPath, value: Any, mark: str | None) -> Any:
        """Return what is shown for a leaf: the value itself where it is no secret.

        Args:
            path: Where it stands.
            value: Its value.
            mark: What the compiler knows of it.
        """
        ...

    def of_literal(self, path: KeyPath, value: str | int) -> str | int:
        """Return what a template is given in the place of what it spells out.

        Args:
            path: The names that it is given to.
            value: What it spells out.
        """
        ...


def with_stand_ins(tree: MapNode, stand_ins: StandIns | None, path: KeyPath = ()) -> MapNode:
    """Return a tree as readers are shown it; the tree itself where nothing in it is secret.

    Args:
        tree: A mapping; None of the stand-ins leave it as it is.
        stand_ins: What stands in for secrets.
        path: The path of the tree.
    """
    if stand_ins is None:
        return tree
    made = _replaced(tree, stand_ins, path)
    assert isinstance(made, MapNode)  # noqa: S101 (so was the tree)
    return made


class NotedDict(dict[Any, Any]):
    """A mapping that notes what is read of it, as far as that is easily seen.

    It is for telling what a value is likely made of, and nothing depends on its being complete: it
    holds its data itself, so that whatever goes round its methods finds it all the same.
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


def _replaced(node: Node, stand_ins: StandIns, path: KeyPath) -> Node:
    known = stand_ins.trees.get((node, path))
    if known is None:
        known = stand_ins.trees[node, path] = _rebuilt(node, stand_ins, path)
    return known


def _rebuilt(node: Node, stand_ins: StandIns, path: KeyPath) -> Node:
    if isinstance(node, Leaf):
        return _rebuilt_leaf(node, stand_ins, path)
    if isinstance(node, MapNode):
        items = {key: _replaced(one, stand_ins, (*path, key)) for key, one in node.items.items()}
        same = all(items[key] is one for key, one in node.items.items())
        return node if same else replace(node, items=items)
    return _rebuilt_list(node, stand_ins, path)


def _rebuilt_leaf(node: Leaf, stand_ins: StandIns, path: KeyPath) -> Leaf:
    """Return a leaf with its stand-in; one of a stand-in would be drawn of the secret's letters."""
    last = node.origins[-1:]
    if any(isinstance(origin, StandInOrigin) and origin.value == node.value for origin in last):
        return node
    value = stand_ins.of_leaf(path, node.value, node.secret)
    if value is node.value:
        return node
    made = (
        StandInOrigin(one.file, one.line, one.sls, one.saltenv, value, one.below) for one in last
    )
    return Leaf(value, (*node.origins[:-1], *made), REPLACED)


def _rebuilt_list(node: ListNode, stand_ins: StandIns, path: KeyPath) -> ListNode:
    members = tuple(
        _replaced(one, stand_ins, (*path, index)) for index, one in enumerate(node.items)
    )
    same = all(made is one for made, one in zip(members, node.items, strict=True))
    return node if same else replace(node, items=members)
