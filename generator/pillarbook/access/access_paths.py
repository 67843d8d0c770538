"""Find the access paths: the ways by which minions get a value.

The last origin of a value names its SLS. A target is an access path if it gives that SLS, or an SLS
that includes it, in the same environment. Minions with the same targets, includes and renders share
the results.
"""

import fnmatch
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pillarbook.access.fixed_lines import FixedLines, TemplateFiles
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.matchers.forging import find_forgery
from pillarbook.compile.project import Project
from pillarbook.compile.reads import Question
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.top.matches import TargetVerdict
from pillarbook.model import Position
from pillarbook.model.limited_cache import LimitedCache
from pillarbook.redact.redacted_pillar import RedactedOrigin
from pillarbook.redact.shown_access import ALL_GRAINS, AccessPath, Forged, GrainReads, WayKind

EXTERNAL = "ext_pillar:"
ID = "id"
NOWHERE = ("", None)
MAX_KEPT = 5_000
"""The most results of each kind that are cached; then the cache is emptied."""
Giver: TypeAlias = tuple[str, str]
"""Environment and name of an SLS; for a top file, an empty name and the file."""
FileReads: TypeAlias = Mapping[Giver, "_FileReads"]
FileLine: TypeAlias = tuple[str, int | None]
"""A file and a line."""
IncludeStep: TypeAlias = tuple[TargetVerdict, str, tuple[str, ...]]
"""A target, the SLS name or glob in it that counts, and the SLS files on the way."""


class AccessPathFinder:
    """Finds access paths, minion by minion."""

    def __init__(self, project: Project, clean: Callable[[str], str]) -> None:
        self._nodegroups = project.options.values.get("nodegroups") or {}
        self._files = TemplateFiles(project)
        self._master_file = clean(project.shown(project.options.file))
        self._clean = clean
        # By the ids of objects that minions share (verdicts, includes), so similar minions share
        # routes. The objects are kept with the results, so that no other object gets their ids.
        self._routes = LimitedCache[tuple[tuple[int, ...], frozenset[Any]], _Routes](MAX_KEPT)
        self._reads = LimitedCache[RenderResult, tuple[Giver, "_FileReads"] | None](MAX_KEPT)
        self._forged = LimitedCache[tuple[str, str], Forged | None](MAX_KEPT)
        self._ways: dict[
            tuple[_Route, tuple[_FileReads, ...], FileLine], tuple[AccessPath, ...]
        ] = LimitedCache(MAX_KEPT)
        self._other: dict[tuple[WayKind, str], tuple[AccessPath, ...]] = {}

    def of(self, compiled: CompiledPillar, inventory_file: str) -> "MinionAccessPaths":
        """Return the access paths of one minion's values."""
        matched = tuple(verdict for verdict in compiled.targets if verdict.matched)
        key = (tuple(map(id, matched)), compiled.includes)
        routes = self._routes.get(key)
        if routes is None:
            routes = self._routes[key] = _Routes(matched, compiled.includes, self._clean)
        reads = dict(filter(None, map(self._read, compiled.renders)))
        return MinionAccessPaths(self, routes, reads, self._clean(inventory_file))

    def _read(self, result: RenderResult) -> tuple[Giver, "_FileReads"] | None:
        """Return the grains that a file read; None if it read none."""
        if result in self._reads:
            return self._reads[result]
        origins = () if result.tree is None else result.tree.origins
        found = None
        names = _grains_of(result.questions)
        if origins and (names or not result.recorded):
            last, clean = origins[-1], self._clean
            file = clean(last.file)
            giver = (clean(str(last.saltenv)), clean(last.sls)) if last.sls else ("", file)
            reads = GrainReads(file, tuple(sorted(map(clean, names))))
            found = giver, _FileReads(reads, self._files.fixed_lines(result))
        self._reads[result] = found
        return found

    def join(self, route: "_Route", reads: FileReads, place: FileLine) -> tuple[AccessPath, ...]:
        """Return the access paths of a route, with the grains that its files read for a minion."""
        met = tuple(reads[giver] for giver in route.givers if giver in reads)
        key = (route, met, place if met else NOWHERE)
        # The reads are a part of the key, so a result holds for each minion with this route.
        known = self._ways.get(key)
        if known is None:
            ways = (self._way(step, reads, place) for step in route.steps)
            known = self._ways[key] = tuple(ways)
        return known

    def _way(self, step: IncludeStep, reads: FileReads, place: FileLine) -> AccessPath:
        verdict, named, sls = step
        clean = self._clean
        saltenv, file = clean(verdict.saltenv), clean(verdict.file)
        open_to_grains: dict[GrainReads, None] = {}
        top = reads.get(("", file))
        if top is not None and not top.is_fixed_target(verdict.line, named):
            open_to_grains[top.reads] = None
        for name, following in zip(sls, (*sls[1:], None), strict=True):
            one = reads.get((saltenv, name))
            if one is None:
                continue
            is_fixed = one.is_fixed_at(place) if following is None else one.names(following)
            if not is_fixed:
                open_to_grains[one.reads] = None
        return AccessPath(
            kind="target",
            name=clean(verdict.target),
            match=verdict.match,
            saltenv=saltenv,
            position=Position(file, verdict.line),
            sls=sls,
            forged=self._find_forged(verdict),
            reads=tuple(open_to_grains),
        )

    def _find_forged(self, verdict: TargetVerdict) -> Forged | None:
        key = (verdict.target, verdict.match)
        if key not in self._forged:
            found = find_forgery(*key, self._nodegroups)
            clean = self._clean
            self._forged[key] = (
                None
                if found is None
                else Forged(tuple(map(clean, found.grains)), clean(found.only))
            )
        return self._forged[key]

    def find_other(self, origin: RedactedOrigin, inventory_file: str) -> tuple[AccessPath, ...]:
        """Return the access path of a value that no SLS set."""
        sls = origin.sls or ""
        kind: WayKind = "template"
        if sls:
            kind = "external pillar"
        elif origin.file == inventory_file:
            kind = "inventory"
        elif origin.file == self._master_file:
            kind = "master options"
        key = (kind, sls.removeprefix(EXTERNAL))
        if key not in self._other:
            self._other[key] = (AccessPath(*key),)
        return self._other[key]


class MinionAccessPaths:
    """The access paths of one minion's values."""

    def __init__(
        self, finder: AccessPathFinder, routes: "_Routes", reads: FileReads, inventory_file: str
    ) -> None:
        self._finder = finder
        self._routes = routes
        self._reads = reads
        self._inventory_file = inventory_file
        self._known: dict[tuple[str | None, str | None, FileLine], tuple[AccessPath, ...]] = {}

    def find(self, origin: RedactedOrigin) -> tuple[AccessPath, ...]:
        """Return the access paths of a value with this last origin.

        Equal paths are one object, for all minions.
        """
        place = (origin.file, origin.line)
        key = (origin.saltenv, origin.sls, place)
        known = self._known.get(key)
        if known is None:
            if origin.sls and origin.saltenv is not None:
                route = self._routes.find((str(origin.saltenv), origin.sls))
                known = self._finder.join(route, self._reads, place)
            else:
                known = self._finder.find_other(origin, self._inventory_file)
            self._known[key] = known
        return known


@dataclass(frozen=True, slots=True, eq=False)
class _Route:
    """The targets that lead to one SLS."""

    steps: tuple[IncludeStep, ...]
    """The targets, each with its way."""
    givers: tuple[Giver, ...]
    """All files on the way."""


@dataclass(slots=True, eq=False)
class _Routes:
    """The routes for minions with the same matched targets and includes."""

    matched: tuple[TargetVerdict, ...]
    includes: frozenset[tuple[str, str, str]]
    """Environment, including and included SLS."""
    clean: Callable[[str], str]
    """Returns a name as it is shown."""
    _includers: dict[Giver, list[str]] | None = None
    _found: dict[Giver, _Route] = field(default_factory=dict)

    def find(self, giver: Giver) -> _Route:
        """Return the targets that lead to an SLS."""
        route = self._found.get(giver)
        if route is None:
            chains = self._chains(giver)
            steps = tuple(self._steps(giver[0], chains))
            givers: dict[Giver, None] = {}
            for verdict, _, sls in steps:
                givers["", self.clean(verdict.file)] = None
                givers.update(((giver[0], name), None) for name in sls)
            route = self._found[giver] = _Route(steps, tuple(givers))
        return route

    def _steps(self, saltenv: str, chains: Mapping[str, tuple[str, ...]]) -> Iterator[IncludeStep]:
        """Yield the targets of an environment that begin one of the chains, shortest first."""
        for verdict in self.matched:
            if self.clean(verdict.saltenv) == saltenv:
                step = next(_begun_by(verdict, map(self.clean, verdict.sls), chains), None)
                if step is not None:
                    yield step

    def _chains(self, giver: Giver) -> dict[str, tuple[str, ...]]:
        """Return the SLS files that lead to an SLS, each with the shortest way; nearest first."""
        saltenv, sls = giver
        chains: dict[str, tuple[str, ...]] = {sls: (sls,)}
        waiting = deque(chains)
        includers = self._find_includers()
        while waiting:
            name = waiting.popleft()
            for includer in includers.get((saltenv, name), ()):
                if includer not in chains:
                    chains[includer] = (includer, *chains[name])
                    waiting.append(includer)
        return chains

    def _find_includers(self) -> dict[Giver, list[str]]:
        if self._includers is None:
            self._includers = {}
            for saltenv, includer, included in sorted(self.includes):
                key = (self.clean(saltenv), self.clean(included))
                self._includers.setdefault(key, []).append(self.clean(includer))
        return self._includers


@dataclass(frozen=True, slots=True, eq=False)
class _FileReads:
    """The grains that a file reads, and its lines that are the same for every minion."""

    reads: GrainReads
    fixed: FixedLines

    def is_fixed_at(self, place: FileLine) -> bool:
        """Say whether a line gives the same value for all grains."""
        file, line = place
        return file == self.reads.file and line in self.fixed

    def is_fixed_target(self, line: int | None, sls: str) -> bool:
        """Say whether a line has this target with an SLS for all grains."""
        return line in self.fixed and self.fixed.holds(sls, line or 1)

    def names(self, sls: str) -> bool:
        """Say whether a line that is the same for all grains includes an SLS."""
        return self.fixed.holds(sls.rpartition(".")[2])


def _begun_by(
    verdict: TargetVerdict, names: Iterable[str], chains: Mapping[str, tuple[str, ...]]
) -> Iterator[IncludeStep]:
    """Yield the chains that begin with an SLS of a target, which may be a glob."""
    names = list(names)
    for sls, chain in chains.items():
        for name in names:
            if sls == name or fnmatch.fnmatchcase(sls, name):
                yield verdict, name, chain


def _grains_of(questions: Iterable[Question]) -> set[str]:
    """Return the grains that questions are about, except the id."""
    found: set[str] = set()
    for view, what, path in questions:
        if not isinstance(path, tuple):
            continue
        if view in ("opts", "master_opts"):
            if path[:1] != ("grains",):
                if not path and what == "whole":
                    found.add(ALL_GRAINS)
                continue
            path = path[1:]  # noqa: PLW2901 (the same path within the grains)
            if not path and what in ("get", "has"):
                continue  # reads of its members are separate questions
        elif view != "grains":
            continue
        found.add(str(path[0]) if path else ALL_GRAINS)
    return found - {ID}
