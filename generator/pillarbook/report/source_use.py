"""What was gathered of the files of a pillar, by file and line."""

import fnmatch
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from pillarbook.redact.source_files import FileRender, SourceRead
from pillarbook.report.minion_sets import set_of
from pillarbook.report.source_fleet import (
    GatheredSources,
    Includes,
    Place,
    RenderGroup,
    TargetPlace,
)

Minions: TypeAlias = int
"""A set of minions, as bits by their ranks."""
Way: TypeAlias = tuple[TargetPlace, tuple[str, ...]]
"""A target, and the SLS files that lead from it to one."""


@dataclass(slots=True)
class LineUse:
    """What the values that a line gives came to."""

    won: Minions = 0
    """The minions that get one of them."""
    overridden: dict[Place, Minions] = field(default_factory=dict)
    """The minions for which one of them was overridden, by what did it."""

    @property
    def never_wins(self) -> bool:
        """Whether each value of it is overridden wherever it is given."""
        return not self.won and bool(self.overridden)


@dataclass(slots=True)
class FileUse:
    """The use of a file by minions."""

    minions: Minions = 0
    """Those for which it was rendered, or imported."""
    names: dict[tuple[str, str], Minions] = field(default_factory=dict)
    """Those for which it was rendered, by environment and SLS name."""
    ways: dict[Way, Minions] = field(default_factory=dict)
    """Those that get it, by target and includes."""
    imported: dict[str, Minions] = field(default_factory=dict)
    """Those for which it was imported, by the file that did it."""
    imports: dict[str, Minions] = field(default_factory=dict)
    """Those for which it imported others, by file."""
    reads: dict[SourceRead, Minions] = field(default_factory=dict)
    """What it asked for."""
    unrecorded: Minions = 0
    """Those for which it is not known what it asked for."""
    printed: int = 0
    """The lines that printed anything for anybody, as a set of bits."""
    is_covered: bool = False
    """Whether it is known which lines printed anything."""
    lines: dict[int, LineUse] = field(default_factory=dict)
    """Its lines that gave values."""


def read_uses(gathered: GatheredSources) -> dict[str, FileUse]:
    """Return the use of each file that any minion's compile took."""
    uses: dict[str, FileUse] = {}
    for group, ranks in gathered.groups.items():
        _add_group(uses, group, set_of(ranks))
    for facts, ranks in gathered.lines.items():
        minions = set_of(ranks)
        for file, line, by in facts:
            use = uses.get(file)
            if use is None:
                continue
            one = use.lines.setdefault(line, LineUse())
            if by is None:
                one.won |= minions
            else:
                one.overridden[by] = one.overridden.get(by, 0) | minions
    return uses


def _add_group(uses: dict[str, FileUse], group: RenderGroup, minions: Minions) -> None:
    ways = find_ways(group.targets, group.includes, group.renders)
    for render in group.renders:
        use = uses.setdefault(render.file, FileUse())
        use.minions |= minions
        name = render.saltenv, render.sls
        use.names[name] = use.names.get(name, 0) | minions
        for way in ways.get(name, ()):
            use.ways[way] = use.ways.get(way, 0) | minions
        for read in render.reads:
            use.reads[read] = use.reads.get(read, 0) | minions
        if not render.is_recorded:
            use.unrecorded |= minions
        for file in dict.fromkeys(one.file for one in render.imports):
            use.imports[file] = use.imports.get(file, 0) | minions
            other = uses.setdefault(file, FileUse())
            other.minions |= minions
            other.imported[render.file] = other.imported.get(render.file, 0) | minions
        _add_printed(uses, render)


def _add_printed(uses: dict[str, FileUse], render: FileRender) -> None:
    for file, lines in render.printed or ():
        if file == render.file or any(file == one.file for one in render.imports):
            use = uses.setdefault(file, FileUse())
            use.printed |= lines
            use.is_covered = True


def find_ways(
    targets: Sequence[TargetPlace], includes: Includes, renders: Iterable[FileRender]
) -> Mapping[tuple[str, str], tuple[Way, ...]]:
    """Return by environment and SLS name the targets that give an SLS, each the shortest way."""
    included: dict[tuple[str, str], list[str]] = {}
    for saltenv, sls, other in includes:
        included.setdefault((saltenv, sls), []).append(other)
    names = [(one.saltenv, one.sls) for one in renders if one.sls]
    ways: dict[tuple[str, str], list[Way]] = {}
    for target in targets:
        for name, chain in _reach(target, names, included):
            ways.setdefault(name, []).append((target, chain))
    return {name: tuple(found) for name, found in ways.items()}


def _reach(
    target: TargetPlace,
    names: Iterable[tuple[str, str]],
    included: Mapping[tuple[str, str], Sequence[str]],
) -> Iterator[tuple[tuple[str, str], tuple[str, ...]]]:
    """Yield what a target gives, with the SLS files that lead there, nearest first."""
    saltenv, given = target[0], target[-1]
    chains: dict[str, tuple[str, ...]] = {}
    for env, sls in names:
        if env == saltenv and any(sls == one or fnmatch.fnmatchcase(sls, one) for one in given):
            chains[sls] = (sls,)
    waiting = deque(chains)
    while waiting:
        sls = waiting.popleft()
        yield (saltenv, sls), chains[sls]
        for other in included.get((saltenv, sls), ()):
            if other not in chains:
                chains[other] = (*chains[sls], other)
                waiting.append(other)
