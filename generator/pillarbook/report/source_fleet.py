"""The use of the pillar's files over the fleet: who gets each, and the result of each line.

Minions share sections of their pillars and what was rendered for them as objects. So what a section
says of lines is found once, and kept with the ranks of the minions that have it.
"""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from pillarbook.model.shared_results import SharedResults
from pillarbook.redact.redacted_pillar import Redacted, RedactedLeaf, RedactedOrigin, RedactedTarget
from pillarbook.redact.source_files import FileRender, MinionRenders
from pillarbook.report.gatherers import WrittenMinion
from pillarbook.report.source import PillarSources

Place: TypeAlias = tuple[str, int | None]
"""A file and a line; of what has no lines, its name."""
Line: TypeAlias = tuple[str, int]
"""A file and a line."""
LineFact: TypeAlias = tuple[str, int, Place | None]
"""A file, a line of it that gave a value, and what overrode that value; None if it won."""
TargetPlace: TypeAlias = tuple[str, str, int, str, str, tuple[str, ...]]
"""Environment, file, line, words and matcher of a target, and what it gives."""
Includes: TypeAlias = tuple[tuple[str, str, str], ...]
"""Each include of a minion: environment, the SLS that includes, the SLS included."""
MAX_KEPT = 2_000
"""Sections that are remembered by their identity before all are let go."""
MAX_PATHS = 8
"""Key paths that are kept of a line; a loop may write any number."""


@dataclass(frozen=True, slots=True)
class RenderGroup:
    """What minions of one kind have in common."""

    renders: tuple[FileRender, ...]
    """What was rendered."""
    targets: tuple[TargetPlace, ...]
    """The targets that match."""
    includes: Includes
    """What includes what."""


@dataclass(slots=True)
class GatheredSources:
    """What is known of the files of a pillar; plain data, for other processes."""

    groups: dict[RenderGroup, list[int]] = field(default_factory=dict)
    """What was rendered, for the minions of these ranks."""
    lines: dict[tuple[LineFact, ...], list[int]] = field(default_factory=dict)
    """What lines came to, for the minions of these ranks."""
    paths: dict[Line, tuple[str, ...]] = field(default_factory=dict)
    """The first key paths, in order of the alphabet, that a line gives values to."""
    shown: set[Line] = field(default_factory=set)
    """The lines of which a value is shown on other pages."""
    secret: set[Line] = field(default_factory=set)
    """The lines of which a value was redacted."""

    def take(self, other: "GatheredSources") -> None:
        """Take what is known of other minions."""
        for group, ranks in other.groups.items():
            self.groups.setdefault(group, []).extend(ranks)
        for facts, ranks in other.lines.items():
            self.lines.setdefault(facts, []).extend(ranks)
        for line, paths in other.paths.items():
            self.note_paths(line, paths)
        self.shown |= other.shown
        self.secret |= other.secret

    def note_paths(self, line: Line, paths: Iterable[str]) -> None:
        """Note key paths that a line gives values to."""
        known = self.paths.get(line, ())
        new = set(paths).difference(known)
        if new:
            self.paths[line] = tuple(heapq.nsmallest(MAX_PATHS, (*known, *new)))


class SourceFleet:
    """Gathers the use of files, one minion after the other."""

    def __init__(self, sources: PillarSources) -> None:
        self._sources = sources
        self._gathered = GatheredSources()
        # Not limited: as many as the top files have.
        self._places: dict[TargetPlace, TargetPlace] = {}
        self._forget()

    def _forget(self) -> None:
        """Let go of the objects that minions share."""
        self._sections: SharedResults[list[int]] = SharedResults(MAX_KEPT)
        self._targets: SharedResults[TargetPlace] = SharedResults(MAX_KEPT)
        self._groups: SharedResults[list[int]] = SharedResults(MAX_KEPT)

    def add(self, written: WrittenMinion) -> None:
        """Take a minion whose page was written."""
        self.add_parts(
            written.rank,
            self._sources.renders(written.minion),
            written.sides.declared.targets,
            ((one, [row.leaf for row in one.rows]) for one in written.page.sections),
        )

    def add_parts(
        self,
        rank: int,
        renders: MinionRenders,
        targets: Sequence[RedactedTarget],
        sections: Iterable[tuple[object, Sequence[RedactedLeaf]]],
    ) -> None:
        """Take a minion.

        ``sections`` are the parts of its pillar, each with what stands for it in other minions.
        """
        self._find_group(renders, targets).append(rank)
        for section, leaves in sections:
            self._sections.find(partial(self._ranks_of, leaves), section).append(rank)

    def _find_group(self, renders: MinionRenders, targets: Sequence[RedactedTarget]) -> list[int]:
        matching = tuple(self._place_of(one) for one in targets if one.matched)

        def find() -> list[int]:
            group = RenderGroup(renders.renders, matching, renders.includes)
            return self._gathered.groups.setdefault(group, [])

        return self._groups.find(
            find,
            *renders.renders,
            *matching,
            also=renders.includes,
        )

    def _place_of(self, target: RedactedTarget) -> TargetPlace:
        def find() -> TargetPlace:
            # One object for equal places, whose ids are in the keys of groups.
            made = place_of(target)
            return self._places.setdefault(made, made)

        return self._targets.find(find, target)

    def _ranks_of(self, leaves: Sequence[RedactedLeaf]) -> list[int]:
        """Return where the ranks of minions go of which some values are a part."""
        facts: dict[LineFact, None] = {}
        gathered = self._gathered
        for leaf in leaves:
            origins = leaf.origins
            last = origins[-1] if origins else None
            for origin in origins:
                if last is None or origin.line is None:
                    continue
                line = origin.file, origin.line
                by = None if origin is last else _place(last)
                facts[(*line, by)] = None
                if not isinstance(origin.value, Redacted):
                    gathered.shown.add(line)
                gathered.note_paths(line, (":".join(map(str, leaf.path)),))
        return gathered.lines.setdefault(tuple(sorted(facts, key=_order)), [])

    def give(self) -> GatheredSources:
        """Return all that was gathered."""
        self._gathered.secret.update(self._sources.secret_lines())
        self._forget()
        return self._gathered

    def take(self, given: GatheredSources) -> None:
        """Take what was gathered in another process."""
        self._gathered.take(given)


def place_of(target: RedactedTarget) -> TargetPlace:
    """Return what tells a target from others."""
    line = target.line or 0
    return target.saltenv, target.file, line, target.target, target.match, target.sls


def _place(origin: RedactedOrigin) -> Place:
    """Return where a value was given; what has no lines goes by its name."""
    return (origin.file if origin.line else str(origin.sls or origin.file)), origin.line


def _order(fact: LineFact) -> tuple[str, int, bool, str, int]:
    file, line, by = fact
    return file, line, by is not None, by[0] if by else "", (by[1] or 0) if by else 0
