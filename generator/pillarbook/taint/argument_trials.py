"""Which pillar keys the arguments of states depend on.

Each state SLS is rendered again with one pillar value changed. An argument that changes depends on
that key. Equal texts would not prove this: a port may be in the SLS file and also in the pillar.
"""

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.project import Project, scope_of
from pillarbook.compile.render_file import render_file
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.renderers.secret_marks import map_leaves
from pillarbook.compile.renderers.unknown_text import holds_unknown_leaf
from pillarbook.highstate.compiled_states import CompiledStates
from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath, Leaf, MapNode, Node, leaves, plain
from pillarbook.model.limited_cache import recall
from pillarbook.model.tree import all_leaves
from pillarbook.model.unknown import Unknown, unknown_of
from pillarbook.taint.state_reads import find_reads, leaves_read
from pillarbook.taint.tree_differences import DifferenceKind, TreeComparer

# Each value that a file reads costs a render, so a large fleet needs a limit (docs/decisions/0020).
MAX_TRIALS = 4000
"""The most renders in one run, about ten seconds."""
# So that one file that reads everything leaves renders for all others.
MAX_OF_ONE = 200
"""The most renders of one file for one minion."""
IDS = "__id__"


@dataclass(frozen=True, slots=True, eq=False)
class Traced:
    """The pillar keys that the data of one render depends on."""

    origins: Mapping[int, tuple[KeyPath, ...]] = field(default_factory=dict)
    """By the `id()` of a leaf's last origin, the pillar keys that the leaf depends on."""
    ids: Mapping[Any, tuple[KeyPath, ...]] = field(default_factory=dict)
    """By the ID of a state, the pillar keys that its ID or its presence depends on."""
    result: RenderResult | None = None
    """The render; kept so that the ids of its origins stay valid."""
    complete: bool = True
    """Whether all values that the file read were tried."""


NOT_TRACED = Traced(complete=False)


class ArgumentTrials:
    """Traces the arguments of states to pillar keys, one minion at a time."""

    def __init__(self, project: Project, most: int = MAX_TRIALS) -> None:
        self._project = project
        self._left = most
        # By the render: the result depends on its questions and its text alone, and minions share
        # renders.
        self._known: dict[RenderResult, Traced] = {}

    def trace(self, states: CompiledStates, minion: Minion) -> Mapping[tuple[str, str], Traced]:
        """Return the traced data of each state SLS, by environment and name."""
        renders = _Renders(self._project, minion, states)
        return {name: self._trace(name, result, renders) for name, result in states.sls.items()}

    def _trace(self, name: tuple[str, str], result: RenderResult, renders: "_Renders") -> Traced:
        if result.tree is None or not result.recorded:
            return Traced(complete=result.recorded)
        return recall(self._known, result, lambda: self._try_out(name, result, renders))

    def _try_out(self, name: tuple[str, str], result: RenderResult, renders: "_Renders") -> Traced:
        reads = tuple(find_reads(result.questions, {}))
        read = tuple(leaves_read(reads, renders.leaves)) if reads else ()
        if not read:
            return Traced(result=result)
        # Not cached: the limit of trials was reached, and this is no property of the render.
        if self._left <= 0:
            return NOT_TRACED
        origins: dict[int, dict[KeyPath, None]] = {}
        ids: dict[Any, dict[KeyPath, None]] = {}
        own = _Own(result.tree, renders.answered(name) if result.has_unknown else None)
        complete = len(read) <= MAX_OF_ONE
        own.note_unknown({path: renders.leaves[path] for path in read}, origins)
        try:
            for path in read[:MAX_OF_ONE]:
                for tree in renders.trials(name, path):
                    self._left -= 1
                    if own.note(tree, path, origins, ids):
                        break
        # Another value may cause an endless loop, which is not an error of the tree.
        except LimitExceeded:
            complete = False
        return Traced(
            {key: tuple(paths) for key, paths in origins.items()},
            {key: tuple(paths) for key, paths in ids.items()},
            result,
            complete,
        )


class _Own:
    """The tree of the original render, for comparison with the trials.

    ``answered`` is the tree with an answer for what is not known, which trials have, too.
    """

    def __init__(self, tree: Node | None, answered: Node | None) -> None:
        self._tree = tree
        self._answered = answered
        self._comparer = TreeComparer()

    def note(
        self,
        other: Node | None,
        path: KeyPath,
        origins: dict[int, dict[KeyPath, None]],
        ids: dict[Any, dict[KeyPath, None]],
    ) -> bool:
        """Note the differences to another tree; return False if there are none, or no tree."""
        if self._tree is None or other is None:
            return False
        self._comparer.trim(0)
        found = self._comparer.compare(self._tree, other)
        kept = other.items if isinstance(other, MapNode) else {}
        for one in found:
            if holds_unknown_leaf(one.node):
                here, there = (_data_at(tree, one.path) for tree in (self._answered, other))
                if here == there:
                    continue
            if one.path and one.path[0] not in kept and one.kind is DifferenceKind.ALONE:
                ids.setdefault(one.path[0], {})[path] = None
            elif one.kind in (DifferenceKind.VALUE, DifferenceKind.ALONE) and one.node.origins:
                origins.setdefault(id(one.node.origins[-1]), {})[path] = None
        return bool(found)

    def note_unknown(
        self, read: Mapping[KeyPath, Any], origins: dict[int, dict[KeyPath, None]]
    ) -> None:
        """Note which values that were read and are not known the unknown arguments are made of."""
        unknown = {path: value for path, value in read.items() if value.__class__ is Unknown}
        for leaf in all_leaves(self._tree) if unknown and self._tree is not None else ():
            made = unknown_of(leaf)
            if made is not None and leaf.origins:
                of = [path for path, one in unknown.items() if {*one.sources} <= {*made.sources}]
                origins.setdefault(id(leaf.origins[-1]), {}).update(dict.fromkeys(of))


class _Renders:
    """Renders state SLS files of one minion with changed pillar values."""

    def __init__(self, project: Project, minion: Minion, states: CompiledStates) -> None:
        self._project = project
        self._minion = minion
        self._states = states
        self._leaves: dict[KeyPath, Any] | None = None
        self._pillar: dict[Any, Any] = {}

    @property
    def leaves(self) -> Mapping[KeyPath, Any]:
        """The pillar values by path."""
        if self._leaves is None:
            shown = self._states.readers.shown
            found = leaves(shown) if shown is not None else ()
            self._leaves = {path: node.value for path, node, _ in found if isinstance(node, Leaf)}
            # What is not marked is the same for any answer, so also for this one.
            self._pillar = {} if shown is None else plain(map_leaves(shown, _answered))
        return self._leaves

    def answered(self, name: tuple[str, str]) -> Node | None:
        """Return the tree of a file with an answer for each value that is not known."""
        return self._render(name, self._pillar)

    def trials(self, name: tuple[str, str], path: KeyPath) -> Iterator[Node | None]:
        """Yield the trees of a file that is rendered with other values of a key."""
        if self.leaves[path].__class__ is Unknown:
            return
        for value in other_values(self.leaves[path]):
            yield self._render(name, _with_value(self._pillar, path, value))

    def _render(self, name: tuple[str, str], pillar: Mapping[Any, Any]) -> Node | None:
        project = self._project
        scope = project.scope_of_states(scope_of(self._minion, project))
        found, _ = scope.roots.find_sls(name[1], name[0])
        if found is None:
            return None
        view = MinionView(self._minion, project, scope, project.remembered, without_recording=True)
        view.show_pillar(pillar)
        return render_file(found, name[1], name[0], view, {}).tree


def _data_at(node: Node | None, path: KeyPath) -> Any:
    """Return the data at a path; None if there is none."""
    data: Any = None if node is None else plain(node)
    for key in path:
        try:
            data = data[key]
        except (LookupError, TypeError):
            return None
    return data


def _answered(leaf: Leaf) -> Leaf:
    return leaf if unknown_of(leaf) is None else Leaf("answer", leaf.origins)


def _with_value(data: Any, path: KeyPath, value: Any) -> Any:
    """Return plain data with another value at a path; everything else is shared."""
    if not path:
        return value
    if isinstance(data, list):
        return [
            _with_value(item, path[1:], value) if index == path[0] else item
            for index, item in enumerate(data)
        ]
    return {
        key: _with_value(item, path[1:], value) if _is_same(key, path[0]) else item
        for key, item in data.items()
    }


def _is_same(one: Any, other: Any) -> bool:
    return one.__class__ is other.__class__ and bool(one == other)


ShowPath = Callable[[KeyPath], KeyPath]


def find_sources(
    states: CompiledStates, traced: Mapping[tuple[str, str], Traced], show: ShowPath
) -> tuple[Mapping[KeyPath, tuple[KeyPath, ...]], ...]:
    """Return, for each chunk, the pillar keys that each argument depends on, by its path."""
    origins: dict[int, tuple[KeyPath, ...]] = {}
    ids: dict[Any, tuple[KeyPath, ...]] = {}
    for one in traced.values():
        origins.update(one.origins)
        ids.update(one.ids)
    if not origins and not ids:
        return ({},) * len(states.chunks)
    return tuple(dict(_sources_of(chunk, origins, ids, show)) for chunk in states.chunks)


def _sources_of(
    chunk: MapNode,
    origins: Mapping[int, tuple[KeyPath, ...]],
    ids: Mapping[Any, tuple[KeyPath, ...]],
    show: ShowPath,
) -> Iterator[tuple[KeyPath, tuple[KeyPath, ...]]]:
    named = chunk.items.get(IDS)
    if isinstance(named, Leaf) and named.value in ids:
        yield (IDS,), tuple(map(show, ids[named.value]))
    for path, node, _ in leaves(chunk):
        keys = origins.get(id(node.origins[-1])) if node.origins else None
        if keys:
            yield path, tuple(map(show, keys))


_DIGITS = "0123456789"
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_UPPER = _LOWER.upper()
_NEXT = str.maketrans(
    {
        letter: letters[(place + 1) % len(letters)]
        for letters in (_DIGITS, _LOWER, _UPPER)
        for place, letter in enumerate(letters)
    }
)


def other_values(value: Any) -> Iterator[Any]:
    """Yield values to try in place of a scalar, the most useful first.

    For a text, first each letter and digit is replaced by the next one, so that an address still
    looks like an address; then a letter is appended. Only texts, numbers, booleans and dates have
    other values.
    """
    if isinstance(value, str):
        yield from _other_texts(value)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield value + 1
        yield value - 1000.5 if isinstance(value, float) else value - 1000
    elif isinstance(value, dt.date):
        yield value + dt.timedelta(days=-1 if value.year == dt.MAXYEAR else 1)
    elif value is None:
        yield "other"


def _other_texts(text: str) -> Iterator[str]:
    moved = text.translate(_NEXT)
    if moved != text:
        yield moved
    yield f"{text}x"
    if text:
        yield ""
