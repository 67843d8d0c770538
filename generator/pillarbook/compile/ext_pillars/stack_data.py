"""The stack of PillarStack: plain data, with notes on the origin of each value.

Salt merges Python objects in place, which has side effects: a YAML alias is the same object in
every place, a strategy marker is removed from it only once, and templates may change the stack. So
the data here is plain dicts and lists that are merged in the same way. For each container, a note
has the origins of its members.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from operator import is_
from typing import Any, TypeAlias

from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.watched_data import unwatched
from pillarbook.model import Leaf, ListNode, MapNode, Node, Origin

MARKER = "__"
# A template may put the stack into itself: without a limit, the comparison would never end.
MAX_LEVELS = 100
"""The depth to which replaced values are noted one by one."""
STRATEGIES = ("overwrite", "merge-first", "merge-last", "remove")
Container: TypeAlias = dict[Any, Any] | list[Any]
Origins: TypeAlias = tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class MemberOrigin:
    """The origins of one member of a container."""

    origins: Origins = ()
    """For a scalar, its origins, oldest first; for a container, the lines at which it begins."""
    overrode: Origins = ()
    """The origins of a value of another type that the container replaced."""
    node: Node | None = None
    """The node in a file's document with this origin; None for a merged value."""

    def over(self, before: Origins, value: Any) -> "MemberOrigin":
        """Return the origin of a value that replaced another one, if there was one."""
        if not before:
            return self
        if isinstance(value, dict | list):
            return MemberOrigin(self.origins, before + self.overrode)
        return MemberOrigin(before + self.origins)

    def joined(self, later: "MemberOrigin") -> "MemberOrigin":
        """Return the origin of two containers, or two scalars, that were merged."""
        return MemberOrigin(self.origins + later.origins, self.overrode + later.overrode)


@dataclass(slots=True)
class Note:
    """The origins of one container."""

    container: Container
    """The container, which is kept so that no other object gets its id."""
    places: Any
    """The origins of its members: by key, or in a list's order."""
    gone: dict[Any, Origins] = field(default_factory=dict)
    """The origins of removed keys; a later value of the key overrides them."""


class StackData:
    """The stack."""

    def __init__(self) -> None:
        self.content: dict[Any, Any] = {}
        """The data, as templates see it."""
        self._notes: dict[int, Note] = {}

    def merge(self, document: MapNode) -> None:
        """Merge a file's data by its markers.

        Raises:
            RenderError: A marker is not a known strategy.
        """
        update = self._thaw(document, {})
        self.content = self._merge_dict(self.content, update)

    def absorb(self, locate: Callable[[Any, Any], Origin]) -> None:
        """Note the changes of a template.

        ``locate`` returns the origin for a key and the value that the template set.
        """
        self._absorb(self.content, locate, set())

    def tree(self) -> MapNode:
        """Return the stack as a tree; containers that are one object have one alias number.

        Raises:
            RenderError: A container contains itself.
        """
        uses: dict[int, int] = {}
        _count(self.content, uses)
        numbers = {key: at for at, key in enumerate((k for k, n in uses.items() if n > 1), 1)}
        try:
            node = self._freeze(self.content, MemberOrigin(), numbers)
        except RecursionError as error:
            raise RenderError("maximum recursion depth exceeded") from error
        assert isinstance(node, MapNode)  # noqa: S101 (so is the stack)
        return node

    def _note(self, container: Container) -> Note:
        note = self._notes.get(id(container))
        if note is None:
            places: Any = {} if isinstance(container, dict) else [MemberOrigin()] * len(container)
            note = self._notes[id(container)] = Note(container, places)
        return note

    def _merge_dict(self, stack: dict[Any, Any], update: dict[Any, Any]) -> dict[Any, Any]:
        strategy = _checked(update.pop(MARKER, "merge-last"))
        if strategy == "overwrite":
            self._clean(update)
            self._override(stack, update)
            return update
        note, new = self._note(stack), self._note(update)
        for key, value in update.items():
            if strategy == "remove":
                self._remove(stack, key)
            elif key in stack:
                place = new.places.get(key, MemberOrigin())
                first = strategy == "merge-first"
                stack[key], note.places[key] = self._meet(
                    (stack[key], note.places.get(key, MemberOrigin())), (value, place), first
                )
            else:
                self._clean(value)
                stack[key] = value
                note.places[key] = new.places.get(key, MemberOrigin()).over(
                    note.gone.pop(key, ()), value
                )
        return stack

    def _meet(
        self, old: tuple[Any, MemberOrigin], new: tuple[Any, MemberOrigin], first: bool
    ) -> tuple[Any, MemberOrigin]:
        """Merge two values of a key, with their origins."""
        if first:
            self._clean(new[0])
            old, new = new, old
        (under, under_place), (over, over_place) = old, new
        if type(under) is not type(over):
            self._clean(over)
            return over, over_place.over(self._origins(under, under_place), over)
        if isinstance(over, list):
            return self._merge_list(old, new)
        if isinstance(over, dict):
            over = self._merge_dict(under, over)
        return over, under_place.joined(over_place)

    def _merge_list(
        self, old: tuple[list[Any], MemberOrigin], new: tuple[list[Any], MemberOrigin]
    ) -> tuple[list[Any], MemberOrigin]:
        (under, under_place), (over, over_place) = old, new
        strategy = "merge-last"
        if _has_marker(over):
            strategy = _checked(over[0][MARKER])
            self._drop_first(over)
        if strategy == "overwrite":
            return over, over_place.over(self._origins(under, under_place), over)
        below, above = self._note(under), self._note(over)
        if strategy == "remove":
            kept = [at for at, item in enumerate(under) if item not in over]
            made = [under[at] for at in kept]
            places = [below.places[at] for at in kept]
        elif strategy == "merge-first":
            made, places = over + under, above.places + below.places
        else:
            made, places = under + over, below.places + above.places
        self._notes[id(made)] = Note(made, places)
        return made, under_place.joined(over_place)

    def _remove(self, stack: dict[Any, Any], key: Any) -> None:
        note = self._note(stack)
        if key in stack:
            place = note.places.pop(key, MemberOrigin())
            origins = self._origins(stack.pop(key), place)
            note.gone[key] = note.gone.get(key, ()) + origins

    def _override(self, old: dict[Any, Any], new: dict[Any, Any], depth: int = 0) -> None:
        """Note that a mapping replaced another: each value overrides the value of the same key."""
        below, above = self._note(old), self._note(new)
        above.gone.update(below.gone)
        for key, value in old.items():
            place = below.places.get(key, MemberOrigin())
            if key not in new:
                above.gone[key] = self._origins(value, place)
            elif isinstance(value, dict) and isinstance(new[key], dict) and depth < MAX_LEVELS:
                self._override(value, new[key], depth + 1)
            else:
                over = above.places.get(key, MemberOrigin())
                above.places[key] = over.over(self._origins(value, place), new[key])

    def _clean(self, value: Any) -> None:
        """Remove the markers from a value that is not merged with anything."""
        if not value:
            return
        if isinstance(value, dict):
            value.pop(MARKER, None)
            for item in value.values():
                self._clean(item)
        elif isinstance(value, list) and _has_marker(value):
            self._drop_first(value)

    def _drop_first(self, items: list[Any]) -> None:
        note = self._note(items)
        del items[0]
        del note.places[0]

    def _origins(self, value: Any, place: MemberOrigin) -> Origins:
        """Return all origins of a value and of everything below it, each once."""
        # By id, because values in origins may not be hashable.
        return tuple({id(one): one for one in self._walk(value, place, set())}.values())

    def _walk(self, value: Any, place: MemberOrigin, seen: set[int]) -> Iterable[Origin]:
        yield from place.overrode
        if not isinstance(value, dict | list) or not value:
            yield from place.origins
        elif id(value) not in seen:  # with aliases, a merge can put a mapping into itself
            seen.add(id(value))
            note = self._note(value)
            for key, item in _pairs(value):
                yield from self._walk(item, _place_at(note, key), seen)

    def _thaw(self, node: Node, known: dict[int, Any]) -> Any:
        if isinstance(node, Leaf):
            return node.value
        if node.alias and node.alias in known:
            return known[node.alias]
        members = node.items.items() if isinstance(node, MapNode) else enumerate(node.items)
        pairs = [(key, self._thaw(item, known), item) for key, item in members]
        made: Any
        places: Any
        if isinstance(node, MapNode):
            made = {key: value for key, value, _ in pairs}
            places = {key: _place_of(item) for key, _, item in pairs}
        else:
            made = [value for _, value, _ in pairs]
            places = [_place_of(item) for _, _, item in pairs]
        self._notes[id(made)] = Note(made, places)
        if node.alias:
            known[node.alias] = made
        return made

    def _absorb(
        self, container: Container, locate: Callable[[Any, Any], Origin], seen: set[int]
    ) -> None:
        if id(container) in seen:
            return
        seen.add(id(container))
        note = self._note(container)
        places: list[tuple[Any, MemberOrigin]] = []
        spare = list(note.places) if isinstance(container, list) else []
        for key, item in list(_pairs(container)):
            value = container[key] = _plain(item)
            known = note.places.get(key) if isinstance(container, dict) else _take(spare, value)
            if known is None or not self._is_noted(value, known):
                before = known.origins if known is not None else note.gone.pop(key, ())
                known = MemberOrigin((locate(key, value),)).over(before, value)
            places.append((key, known))
            if isinstance(value, dict | list):
                self._absorb(value, locate, seen)
        if isinstance(container, dict):
            for key in note.places.keys() - container.keys() - {MARKER}:
                note.gone[key] = note.places[key].origins
            note.places = dict(places)
        else:
            note.places = [place for _, place in places]

    def _is_noted(self, value: Any, place: MemberOrigin) -> bool:
        """Say whether an origin belongs to a value."""
        if isinstance(value, dict | list):
            return id(value) in self._notes
        return bool(place.origins) and _is_same(place.origins[-1].value, value)

    def _freeze(self, value: Any, place: MemberOrigin, numbers: dict[int, int]) -> Node:
        known = place.node
        if not isinstance(value, dict | list):
            # What is as in its document stays that node, because results for nodes are cached.
            if isinstance(known, Leaf) and known.value is value and known.secret is None:
                return known
            return Leaf(value, place.origins)
        note = self._note(value)
        alias = numbers.get(id(value), 0)
        overrode = place.overrode
        if not value:
            overrode += tuple(origin for origins in note.gone.values() for origin in origins)
        made = [(k, self._freeze(v, _place_at(note, k), numbers)) for k, v in _pairs(value)]
        shared = alias > 0 or any(not isinstance(n, Leaf) and n.shared for _, n in made)
        node: MapNode | ListNode
        if isinstance(value, dict):
            node = MapNode(dict(made), place.origins, overrode, "plain", alias, shared)
        else:
            items = tuple(item for _, item in made)
            node = ListNode(items, place.origins, overrode, "plain", alias, shared)
        return known if known is not None and _is_same_node(known, node) else node


def _is_same_node(known: Node, made: MapNode | ListNode) -> bool:
    """Say whether a new node with the origins of a known one has the same content."""
    if isinstance(known, Leaf) or type(known) is not type(made):
        return False
    if len(known.items) != len(made.items) or known.overrode is not made.overrode:
        return False
    if (known.kind, known.alias, known.shared) != (made.kind, made.alias, made.shared):
        return False
    # By identity, also of keys, because True is equal to 1.
    if isinstance(known, MapNode) and isinstance(made, MapNode):
        items = known.items.values(), made.items.values()
        return all(map(is_, known.items, made.items)) and all(map(is_, *items))
    return all(map(is_, known.items, made.items))


def _checked(strategy: Any) -> str:
    if strategy not in STRATEGIES:
        raise RenderError(f'Unknown strategy "{strategy}", should be one of {STRATEGIES}')
    return str(strategy)


def _has_marker(items: list[Any]) -> bool:
    return bool(items) and isinstance(items[0], dict) and MARKER in items[0]


def _pairs(container: Container) -> Iterable[tuple[Any, Any]]:
    return container.items() if isinstance(container, dict) else enumerate(container)


def _place_at(note: Note, key: Any) -> MemberOrigin:
    if isinstance(note.places, dict):
        found: MemberOrigin = note.places.get(key, MemberOrigin())
        return found
    return note.places[key] if key < len(note.places) else MemberOrigin()


def _place_of(node: Node) -> MemberOrigin:
    overrode = () if isinstance(node, Leaf) else node.overrode
    return MemberOrigin(node.origins, overrode, node)


def _take(spare: list[MemberOrigin], value: Any) -> MemberOrigin | None:
    """Remove and return the origin of an equal value from a list of origins."""
    like: Any = value
    if isinstance(value, dict | list):
        like = {} if isinstance(value, dict) else []
    for at, place in enumerate(spare):
        if place.origins and _is_same(place.origins[-1].value, like):
            return spare.pop(at)
    return None


def _is_same(one: Any, other: Any) -> bool:
    return one is other or (type(one) is type(other) and bool(one == other))


def _plain(value: Any) -> Any:
    """Return a mapping or list that a template got, as a container of the stack."""
    if isinstance(value, dict | list) and type(value) not in (dict, list):
        return unwatched(value)
    return value


def _count(value: Any, uses: dict[int, int]) -> None:
    if isinstance(value, dict | list):
        uses[id(value)] = uses.get(id(value), 0) + 1
        if uses[id(value)] == 1:
            for _, item in _pairs(value):
                _count(item, uses)
