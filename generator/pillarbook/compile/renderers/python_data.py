"""Converts trees to the Python objects of Salt's renderers, and such objects to trees.

Salt merges objects in place, so an object in several places matters: it stays one object, and gets
an alias number in the tree.
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
    MutableNode,
    NodeOrSlot,
)
from pillarbook.compile.renderers.render_errors import LimitExceeded, RenderError
from pillarbook.compile.renderers.secret_marks import secret_leaf
from pillarbook.compile.renderers.source_text import Line
from pillarbook.compile.renderers.yaml_loader import too_deep
from pillarbook.compile.watched_data import unwatched
from pillarbook.model import KeyPath, Leaf, ListNode, MapNode, Node, Origin, SecretOrigin
from pillarbook.model.long_integers import REFUSED, holds_long_integer
from pillarbook.model.tree import all_leaves

if TYPE_CHECKING:
    from pillarbook.model.tree import MapKind

SCALARS = (str, bytes, bool, int, float, dt.datetime, dt.date, dt.time, dt.timedelta)
"""The possible types of a value, besides null and containers; subclasses of text and numbers are
converted."""
GivenBy: TypeAlias = tuple[tuple[Origin, ...], str | None]
"""The origins of a value, and why it is secret, or None."""


class UnsendableError(ValueError):
    """A value that a master could not send to a minion."""


class ValuePlaces:
    """The origins of values in Python data.

    A value that is unchanged from the tree before keeps its origins; all others have one origin. A
    new value has ``origin``, with its own value. ``before`` is the tree from which the data was
    made, if any. ``moved`` are new top-level keys, with their old names. ``secret`` says why all
    new values are secret.
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
        """Return the origins of the value at a path; an empty container equals any other one."""
        old = self._look_up(path)
        if isinstance(value, dict | list):
            kept = isinstance(old, MapNode if isinstance(value, dict) else ListNode)
        else:
            kept = isinstance(old, Leaf) and type(old.value) is type(value) and old.value == value
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


def to_python(node: Node) -> Any:
    """Return a tree as new objects: one for all aliases of a container."""
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

    Raises:
        LimitExceeded: There are too many nodes, or they are too deep.
        RenderError: A container contains itself, or a value is impossible in a pillar.
    """
    start = places.find((), object())[0][-1]
    place = (start.file, start.line)
    try:
        content = _Grower(places).grow(data, ())
        NodeCounter(limits, place, "data").count(content)
        return freeze(content)
    except UnsendableError as error:
        raise RenderError(str(error), place) from error
    except RecursionError as error:
        raise RenderError("maximum recursion depth exceeded", place) from error


class _Grower:
    """Makes one mutable object for each container."""

    def __init__(self, places: ValuePlaces) -> None:
        self._places = places
        self._boxes: dict[int, MutableMap | MutableList] = {}
        self._seen: list[Any] = []
        """The containers, which are kept so that no other object gets their ids."""

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
    """Return a scalar without the tree's own classes."""
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


class NodeCounter:
    """Counts nodes, with aliases expanded."""

    def __init__(self, limits: Limits, place: Line, what: str) -> None:
        self._limits = limits
        self._place = place
        self._what = what
        # By id of the container: an alias counts each time but is counted only once, because the
        # test for an alias bomb would itself be slow. For one document.
        self._known: dict[MutableNode, int] = {}
        self._open: set[MutableNode] = set()

    def count(self, content: NodeOrSlot) -> int:
        """Return the number of nodes of a value.

        Raises:
            LimitExceeded: There are too many, or they are too deep.
            RecursionError: A container contains itself.
        """
        if not isinstance(content, MapSlot | ListSlot):
            return 1
        box = content.box
        if box in self._open:
            raise RecursionError("maximum recursion depth exceeded")
        number = self._known.get(box)
        if number is None:
            self._open.add(box)
            if len(self._open) > self._limits.levels:
                raise too_deep(self._limits, self._place)
            below = content.items.values() if isinstance(content, MapSlot) else content.items
            number = self._known[box] = 1 + sum(map(self.count, below))
            self._open.discard(box)
        if number > self._limits.nodes:
            raise LimitExceeded(
                f"the {self._what} has more than {self._limits.nodes:,} nodes, aliases counted",
                self._place,
            )
        return number
