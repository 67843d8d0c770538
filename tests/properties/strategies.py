"""What Hypothesis draws: data as Salt holds it, and the same as trees.

Data is made of real Python objects: ``dict`` and ``OrderedDict``, their yamlex kin, and lists. One
object may stand at several places, as a YAML alias makes it; ``to_tree`` numbers such objects and
``to_data`` makes them one object again.
"""

from collections import OrderedDict
from collections.abc import Iterator
from itertools import count
from typing import Any

from hypothesis import strategies as st

from pillarbook.model import Leaf, ListNode, MapNode, Node, Origin
from pillarbook.model.tree import MapKind


class SlsMap(OrderedDict[Any, Any]):
    """yamlex's mapping."""


class AggregateMap(SlsMap):
    """yamlex's mapping with the ``!aggregate`` tag."""


class AggregateList(list[Any]):
    """yamlex's list with the ``!aggregate`` tag."""


KINDS: dict[type, MapKind] = {
    dict: "plain",
    OrderedDict: "ordered",
    SlsMap: "sls",
    AggregateMap: "aggregate",
}
TYPES = {kind: made for made, kind in KINDS.items()}

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(0, 2),
    st.sampled_from([0.0, 1.0, "", "x", "y", "1"]),
)
"""Few, so that they meet; some are equal though they are not the same."""
KEYS = st.sampled_from(["a", "b", "c", 1, True])


@st.composite
def data(draw: st.DrawFn, *, aliases: bool = False, yamlex: bool = False) -> dict[Any, Any]:
    """Draw a mapping of mappings, lists and scalars.

    With ``aliases``, one object may stand at several places; with ``yamlex``, mappings and lists
    may be yamlex's.
    """
    map_types = st.sampled_from(list(KINDS) if yamlex else [OrderedDict, dict])
    list_types = st.sampled_from([list, AggregateList] if yamlex else [list])
    known: list[Any] = []

    def draw_map(depth: int) -> Any:
        made = draw(map_types)()
        for key in draw(st.lists(KEYS, max_size=3)):
            made[key] = draw_value(depth)
        known.append(made)
        return made

    def draw_list(depth: int) -> Any:
        made: list[Any] = draw(list_types)()
        made.extend(draw_value(depth) for _ in range(draw(st.integers(0, 3))))
        known.append(made)
        return made

    def draw_value(depth: int) -> Any:
        choices = ["scalar", "list", "map", "map"] if depth else ["scalar"]
        if aliases and known:
            choices += ["known"] * len(choices)
        choice = draw(st.sampled_from(choices))
        if choice == "known":
            return draw(st.sampled_from(known))
        if choice == "scalar":
            return draw(SCALARS)
        return draw_list(depth - 1) if choice == "list" else draw_map(depth - 1)

    return draw_map(3)  # type: ignore[no-any-return]


@st.composite
def trees(
    draw: st.DrawFn, *, aliases: bool = False, yamlex: bool = False, file: str = "a.sls"
) -> MapNode:
    """Draw a tree each of whose values has an origin of its own."""
    return to_tree(draw(data(aliases=aliases, yamlex=yamlex)), file)


def to_tree(value: dict[Any, Any], file: str = "a.sls") -> MapNode:
    """Return data as a tree; objects that stand at several places get alias numbers.

    Every scalar and container has its own line, in order, and a plain origin there.
    """
    uses: dict[int, int] = {}
    _count(value, uses)
    made = _Planter(file, uses).plant(value)
    assert isinstance(made, MapNode)
    return made


def _count(value: Any, uses: dict[int, int]) -> None:
    if not isinstance(value, dict | list):
        return
    uses[id(value)] = uses.get(id(value), 0) + 1
    if uses[id(value)] == 1:
        for item in value.values() if isinstance(value, dict) else value:
            _count(item, uses)


class _Planter:
    """Makes trees of data."""

    def __init__(self, file: str, uses: dict[int, int]) -> None:
        self._file = file
        self._uses = uses
        self._lines = count(1)
        self._aliases = count(1)
        self._known: dict[int, Node] = {}

    def plant(self, value: Any) -> Node:
        """Return the tree of a value; the same object gives the same node."""
        if not isinstance(value, dict | list):
            return Leaf(value, (self._locate(value),))
        made = self._known.get(id(value))
        if made is None:
            made = self._known[id(value)] = self._plant_container(value)
        return made

    def _plant_container(self, value: dict[Any, Any] | list[Any]) -> Node:
        origins = (self._locate(type(value)()),)
        alias = next(self._aliases) if self._uses[id(value)] > 1 else 0
        if isinstance(value, dict):
            items = {key: self.plant(item) for key, item in value.items()}
            shared = alias > 0 or any(_is_shared(item) for item in items.values())
            return MapNode(items, origins, kind=KINDS[type(value)], alias=alias, shared=shared)
        listed = tuple(self.plant(item) for item in value)
        shared = alias > 0 or any(_is_shared(item) for item in listed)
        kind: Any = "aggregate" if isinstance(value, AggregateList) else "plain"
        return ListNode(listed, origins, kind=kind, alias=alias, shared=shared)

    def _locate(self, value: Any) -> Origin:
        return Origin(self._file, next(self._lines), self._file.removesuffix(".sls"), "base", value)


def _is_shared(node: Node) -> bool:
    return not isinstance(node, Leaf) and node.shared


def to_data(node: Node, known: dict[int, Any] | None = None) -> Any:
    """Return a tree as data, one object for each alias number."""
    known = {} if known is None else known
    if isinstance(node, Leaf):
        return node.value
    if node.alias in known:
        return known[node.alias]
    made: Any
    if isinstance(node, MapNode):
        made = TYPES[node.kind]()
    else:
        made = AggregateList() if node.kind == "aggregate" else []
    if node.alias:
        known[node.alias] = made
    if isinstance(node, MapNode):
        made.update((key, to_data(item, known)) for key, item in node.items.items())
    else:
        made.extend(to_data(item, known) for item in node.items)
    return made


def describe(value: Any, *, aliases: bool = True) -> Any:
    """Return what tells two data apart: types, key order and, if asked, which objects are one."""
    return _describe(value, {} if aliases else None)


def _describe(value: Any, known: dict[int, int] | None) -> Any:
    if not isinstance(value, dict | list):
        return type(value).__name__, value
    if known is not None:
        if id(value) in known:
            return "again", known[id(value)]
        known[id(value)] = len(known)
    name = type(value).__name__
    if isinstance(value, list):
        return name, [_describe(item, known) for item in value]
    return name, [(_describe(key, known), _describe(item, known)) for key, item in value.items()]


def describe_tree(node: Node) -> Any:
    """Return all that a tree says, nodes by their content: data, origins, kinds, aliases."""
    if isinstance(node, Leaf):
        return type(node.value).__name__, node.value, _places(node.origins), node.secret
    about = (_places(node.origins), _places(node.overrode), node.kind, node.alias, node.shared)
    if isinstance(node, ListNode):
        return "list", about, [describe_tree(item) for item in node.items]
    return "map", about, [(repr(key), describe_tree(item)) for key, item in node.items.items()]


def _places(origins: tuple[Origin, ...]) -> list[tuple[str, int | None]]:
    return [(origin.file, origin.line) for origin in origins]


def nodes(node: Node) -> Iterator[Node]:
    """Yield a node and all below it."""
    yield node
    if isinstance(node, Leaf):
        return
    for item in node.items.values() if isinstance(node, MapNode) else node.items:
        yield from nodes(item)
