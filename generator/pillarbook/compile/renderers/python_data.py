"""Trees as the Python objects that Salt's renderers hand on, and such objects as trees.

Salt merges objects in place, so one that is at several places counts: it is one object on the
way out, and has an alias number on the way back.
"""

import datetime as dt
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from pillarbook.compile.limits import Limits
from pillarbook.compile.merge.freeze import freeze
from pillarbook.compile.merge.mutable_nodes import (
    ListSlot,
    MapSlot,
    MutableList,
    MutableMap,
    NodeOrSlot,
)
from pillarbook.compile.reads import unwatched
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.scales import Scales
from pillarbook.compile.renderers.secret_marks import all_leaves, secret_leaf
from pillarbook.model import KeyPath, Leaf, ListNode, MapNode, Node, Origin, SecretOrigin
from pillarbook.model.long_integers import REFUSED, holds_long_integer

if TYPE_CHECKING:
    from pillarbook.model.tree import MapKind

SCALARS = (str, bytes, bool, int, float, dt.datetime, dt.date, dt.time, dt.timedelta)
"""What a value may be besides null and containers; a subclass of a text or number becomes one."""
GivenBy: TypeAlias = tuple[tuple[Origin, ...], str | None]
"""Where a value was given, and why it is secret, where it is."""


class UnsendableError(ValueError):
    """A value that no master could send to a minion."""


class ValuePlaces:
    """Where the values of Python data were given.

    What lies as it did in the tree before stays where that says; all else has one place.

    Args:
        origin: That place, with any value.
        before: The tree that the data was made of, where it was made of one.
        moved: Keys of the top level by what they were in that tree.
        secret: Why all that is new is secret, where it is.
    """

    def __init__(
        self,
        origin: Origin,
        before: Node | None = None,
        moved: Mapping[Any, Any] | None = None,
        secret: str | None = None,
    ) -> None:
        self._origin = origin
        self._before = before
        self._moved = moved or {}
        marks = () if before is None else (leaf.secret for leaf in all_leaves(before))
        self._secret = secret or next((mark for mark in marks if mark), None)

    def find(self, path: KeyPath, value: Any) -> GivenBy:
        """Return where the value at a path was given; an empty container stands for any."""
        old = self._look_up(path)
        if isinstance(value, dict | list):
            kept = isinstance(old, MapNode if isinstance(value, dict) else ListNode)
        else:
            kept = isinstance(old, Leaf) and _is_same(old.value, value)
        if kept and old is not None:
            return old.origins, old.secret if isinstance(old, Leaf) else None
        secret = None if value is None else self._secret
        return (replace(self._origin, value=value),), secret

    def _look_up(self, path: KeyPath) -> Node | None:
        node = self._before
        for level, key in enumerate(path):
            if isinstance(node, MapNode):
                node = node.items.get(self._moved.get(key, key) if level == 0 else key)
            elif isinstance(node, ListNode) and isinstance(key, int) and key < len(node.items):
                node = node.items[key]
            else:
                return None
        return node


def _is_same(old: Any, new: Any) -> bool:
    return type(old) is type(new) and bool(old == new)


def to_python(node: Node) -> Any:
    """Return a tree as objects of its own: one for all aliases of a container."""
    return _thaw(node, {})


def _thaw(node: Node, known: dict[int, Any]) -> Any:
    if isinstance(node, Leaf):
        return node.value
    if node.alias and node.alias in known:
        return known[node.alias]
    made: Any
    if isinstance(node, MapNode):
        made = {} if node.kind == "plain" else OrderedDict()
        made.update((key, _thaw(item, known)) for key, item in node.items.items())
    else:
        made = [_thaw(item, known) for item in node.items]
    if node.alias:
        known[node.alias] = made
    return made


def from_python(data: Any, places: ValuePlaces, limits: Limits) -> Node:
    """Return Python data as a tree.

    Args:
        data: Scalars, mappings, lists, sets and tuples.
        places: Where its values were given.
        limits: How many nodes there may be, and how deep ones.

    Raises:
        LimitExceeded: Too many nodes, or too deep ones.
        RenderError: A container that holds itself, or a value that a pillar cannot have.
    """
    start = places.find((), object())[0][-1]
    place = (start.file, start.line)
    try:
        content = _Grower(places).grow(data, ())
        Scales(limits, place, "data").weigh(content)
        return freeze(content)
    except UnsendableError as error:
        raise RenderError(str(error), place) from error
    except RecursionError as error:
        raise RenderError("maximum recursion depth exceeded", place) from error


class _Grower:
    """Makes one box for each container."""

    def __init__(self, places: ValuePlaces) -> None:
        self._places = places
        self._boxes: dict[int, MutableMap | MutableList] = {}
        self._seen: list[Any] = []
        """The containers; they stay alive, so that no other one gets their number."""

    def grow(self, value: Any, path: KeyPath) -> NodeOrSlot:
        if isinstance(value, Mapping | list):
            return self._grow_container(value, path)
        made = _scalar(value)
        origins, secret = self._places.find(path, made)
        if secret is None or isinstance(origins[-1], SecretOrigin):
            return Leaf(made, origins, secret)
        return secret_leaf(made, origins, secret)

    def _grow_container(self, value: Any, path: KeyPath) -> NodeOrSlot:
        box = self._boxes.get(id(value))
        if box is None:
            self._seen.append(value)
            if isinstance(value, list):
                box = MutableList([], self._places.find(path, [])[0], "plain")
                self._boxes[id(value)] = box
                box.items.extend(
                    self.grow(item, (*path, index)) for index, item in enumerate(value)
                )
            else:
                kind: MapKind = "ordered" if isinstance(value, OrderedDict) else "plain"
                box = MutableMap({}, self._places.find(path, {})[0], kind)
                self._boxes[id(value)] = box
                for key, item in value.items():
                    box.items[_scalar(key)] = self.grow(item, (*path, key))
        return MapSlot(box) if isinstance(box, MutableMap) else ListSlot(box)


def _scalar(value: Any) -> Any:
    """Return what is neither mapping nor list, with nothing of the tree's own classes in it.

    Raises:
        UnsendableError: It is of another type than these, or an integer of too many digits.
    """
    if holds_long_integer(value):
        raise UnsendableError(REFUSED)
    if value is None or type(value) in SCALARS:
        return value
    if isinstance(value, tuple):
        return tuple(unwatched(item) for item in value)
    if isinstance(value, set | frozenset):
        return {_scalar(item) for item in value}
    if isinstance(value, dt.date | dt.time | dt.timedelta):
        return value
    for kind in (str, bytes, int, float):
        if isinstance(value, kind):
            made: Any = kind
            return made(value)
    raise UnsendableError(
        f"a value of the type '{type(value).__name__}' cannot be sent to a minion"
    )
