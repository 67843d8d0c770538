"""The dependencies between states, and the order of execution.

Salt keeps sets of states by the names that requisites use; here they are in order of declaration,
so that nothing depends on a process's hash seed.

Source: Salt ``salt/utils/requisite.py`` (``MultiDiGraph``, ``DependencyGraph``).
"""

import fnmatch
import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pillarbook.highstate.keywords import WEIGHTS
from pillarbook.highstate.mutable_high_data import HighMap, leaf_at, value_of

GLOB = ("*", "?", "[", "]")
TEST = "_|-__prereq_test__"
"""The end of the tag of a state that runs in test mode before a ``prereq``."""
LAST = 1_000_000
"""The offset of ``last`` and of negative orders above the highest order."""
INFINITE = float("inf")


@dataclass(slots=True, eq=False)
class Vertex:
    """A state in the graph."""

    chunk: HighMap
    """Its low data."""
    below: dict[str, dict[str, None]] = field(default_factory=dict)
    """The states that wait for it, each with the requisites that cause it."""
    above: dict[str, dict[str, None]] = field(default_factory=dict)
    """The states that it waits for."""


def tag_of(chunk: HighMap) -> str:
    """Return the identity of a state."""
    names = ("state", "__id__", "name", "fun")
    return "_|-".join(str(value_of(chunk[name])) for name in names)


class DependencyGraph:
    """The states of a minion and their requisites."""

    def __init__(self) -> None:
        self.vertices: dict[str, Vertex] = {}
        """The states by their tags."""
        self._by_name: dict[tuple[Any, Any], dict[str, None]] = {}
        self._by_sls: dict[Any, dict[str, None]] = {}

    def add_chunk(self, chunk: HighMap) -> None:
        """Add a state."""
        tag = tag_of(chunk)
        if tag in self.vertices:
            self.vertices[tag].chunk = chunk
        else:
            self.vertices[tag] = Vertex(chunk)
        module, name, own = (value_of(chunk[key]) for key in ("state", "name", "__id__"))
        for key in ((module, name), (module, own), ("id", own), ("id", name)):
            self._by_name.setdefault(key, {})[tag] = None
        files = [chunk["__sls__"], *chunk.get("__sls_included_from__", ())]
        for sls in map(value_of, files):
            self._by_sls.setdefault(sls, {})[tag] = None

    def add_dependency(self, chunk: HighMap, requisite: str, key: str, name: str) -> bool:
        """Add the dependencies of a state by a requisite such as ``require``; False if none exist.

        The key is a state module, ``id`` or ``sls``; the name is an ID, a name or a glob.
        """
        if any(sign in name for sign in GLOB):
            found = list(self._find_by_glob(key, name))
        else:
            tags = self._by_sls.get(name) if key == "sls" else self._by_name.get((key, name))
            found = [tags] if tags else []
        for tags in found:
            self._connect(chunk, requisite, list(tags))
        return bool(found) or (key == "sls" and any(sign in name for sign in GLOB))

    def modules_of(self, name: str) -> set[Any]:
        """Return the modules of the states with an ID or a name."""
        tags = self._by_name.get(("id", name), ())
        return {value_of(self.vertices[tag].chunk["state"]) for tag in tags}

    def _find_by_glob(self, key: str, glob: str) -> Iterator[dict[str, None]]:
        if key == "sls":
            known = [(sls, tags) for sls, tags in self._by_sls.items()]
        else:
            known = [(one, tags) for (kind, one), tags in self._by_name.items() if kind == key]
        return (tags for one, tags in known if fnmatch.fnmatch(str(one), glob))

    def _connect(self, chunk: HighMap, requisite: str, tags: list[str]) -> None:
        own = tag_of(chunk)
        was_prereq = "__prereq__" in chunk and own + TEST in self.vertices
        for tag in tags:
            if requisite == "prereq":
                self._add_prereq(own, tag)
                continue
            if was_prereq:
                self._add_edge(tag, own + TEST, requisite)
            self._add_edge(tag, own, requisite)

    def _add_prereq(self, own: str, tag: str) -> None:
        """Add the dependencies of a state on a test of another, and of that one on the state.

        Source: Salt ``salt/utils/requisite.py`` (``DependencyGraph._add_prereq``).
        """
        # Salt writes both marks into the chunks, and later steps and states see them.
        asking, asked = self.vertices[own].chunk, self.vertices[tag].chunk
        asking["__prerequiring__"] = leaf_at(True, asking["fun"].origins)
        asked["__prereq__"] = leaf_at(True, asked["fun"].origins)
        test = tag + TEST
        if test not in self.vertices:
            self.vertices[test] = Vertex(asked)
            for before, requisites in list(self.vertices[tag].above.items()):
                for requisite in requisites:
                    if requisite != "prereq":
                        self._add_edge(before, test, requisite)
        self._add_edge(test, own, "prereq")
        self._add_edge(own, tag, "require")
        if own + TEST in self.vertices:
            self._add_edge(test, own + TEST, "prereq")

    def _add_edge(self, before: str, after: str, requisite: str) -> None:
        self.vertices[before].below.setdefault(after, {})[requisite] = None
        self.vertices[after].above.setdefault(before, {})[requisite] = None

    def find_cycle(self) -> list[tuple[str, str, str]]:
        """Return a cycle of requisites as ``(before, after, requisite)``; empty if there is none.

        Source: Salt ``salt/utils/requisite.py`` (``MultiDiGraph.find_cycle``).
        """
        done: set[str] = set()
        for start in self.vertices:
            found = [] if start in done else self._walk(start, done)
            if found:
                return found
        return []

    def _walk(self, start: str, done: set[str]) -> list[tuple[str, str, str]]:
        path: dict[str, tuple[str, str] | None] = {start: None}
        walks = [(start, self._edges_of(start))]
        while walks:
            tag, edges = walks[-1]
            edge = next(edges, None)
            if edge is None:
                walks.pop()
                done.add(tag)
                del path[tag]
                continue
            after, requisite = edge
            if after in path:
                return _ring(path, tag, after, requisite)
            if after not in done:
                path[after] = (tag, requisite)
                walks.append((after, self._edges_of(after)))
        return []

    def _edges_of(self, tag: str) -> Iterator[tuple[str, str]]:
        below = self.vertices[tag].below
        return ((after, requisite) for after, several in below.items() for requisite in several)

    def in_order(self, cap: int) -> list[HighMap] | None:
        """Return the states in the order of execution; None if there is a cycle.

        A state whose order is not a number has the order ``cap``.
        """
        waits = {
            tag: sum(len(several) for several in vertex.above.values())
            for tag, vertex in self.vertices.items()
        }
        ranker = _Ranker(self.vertices, cap)
        free = [(ranker.rank(tag), tag) for tag, count in waits.items() if count == 0]
        heapq.heapify(free)
        found = []
        while free:
            _, tag = heapq.heappop(free)
            found.append(self.vertices[tag].chunk)
            for after, several in self.vertices[tag].below.items():
                waits[after] -= len(several)
                if waits[after] == 0:
                    heapq.heappush(free, (ranker.rank(after), after))
        return found if len(found) == len(self.vertices) else None


def _ring(
    path: dict[str, tuple[str, str] | None], tag: str, after: str, requisite: str
) -> list[tuple[str, str, str]]:
    ring = [(tag, after, requisite)]
    while tag != after:
        step = path[tag]
        assert step is not None  # noqa: S101 (only the first of a path has none)
        ring.append((step[0], tag, step[1]))
        tag = step[0]
    return ring[::-1]


class _Ranker:
    """Ranks the states that may run next.

    Source: Salt ``salt/utils/requisite.py`` (``DependencyGraph._get_chunk_order``).
    """

    def __init__(self, vertices: dict[str, Vertex], cap: int) -> None:
        self._vertices = vertices
        self._cap = cap
        self._least: dict[str, float] = {}

    def rank(self, tag: str) -> tuple[tuple[float, float], str]:
        """Return the sort key of a state, and make its order a number."""
        vertex = self._vertices[tag]
        chunk = vertex.chunk
        own = self._final_order(chunk)
        order = own
        if tag not in self._least:
            self._least[tag] = self._least_below(vertex)
            order = min(order, self._least[tag])
        label = "".join(str(value_of(chunk[key])) for key in ("state", "name", "fun"))
        return (order, own), label

    def _final_order(self, chunk: HighMap) -> float:
        order = self._number(chunk)
        nth = chunk.pop("name_order", None)
        if nth is not None:
            order += nth.value / 10000.0
        if order < 0:
            order += self._cap + LAST
        self._put(chunk, order)
        return order

    def _least_below(self, vertex: Vertex) -> float:
        """Return the lowest order of the states that wait by the heaviest requisites."""
        least, heaviest = INFINITE, -1
        for after, several in vertex.below.items():
            for requisite in several:
                if heaviest <= WEIGHTS[requisite]:
                    heaviest = WEIGHTS[requisite]
                    chunk = self._vertices[after].chunk
                    order = self._number(chunk) if "order" in chunk else INFINITE
                    if "order" in chunk:
                        self._put(chunk, order)
                    least = min(least, order)
        return least

    def _number(self, chunk: HighMap) -> float:
        order = value_of(chunk["order"]) if "order" in chunk else None
        if isinstance(order, int | float):
            return order
        if order == "last":
            return self._cap + LAST
        return 0 if order == "first" else self._cap

    def _put(self, chunk: HighMap, order: float) -> None:
        known = chunk.get("order")
        if known is None or value_of(known) is not order:
            chunk["order"] = leaf_at(order, (known or chunk["fun"]).origins)
