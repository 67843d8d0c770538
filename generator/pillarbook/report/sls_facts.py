"""All that there is to say of the pillar's files, for pages and for the command line."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.redact.source_files import (
    JudgedLines,
    MaskedLine,
    SourceFile,
    SourceRead,
)
from pillarbook.report.source import PillarSources
from pillarbook.report.source_fleet import GatheredSources, Line, TargetPlace
from pillarbook.report.source_lines import Coverage, SourceLine, describe_lines, find_coverage
from pillarbook.report.source_use import FileUse, Minions, read_uses

KINDS = {
    "id": "minion id",
    "grain": "grains",
    "pillar": "pillar",
    "option": "options",
    "function": "functions",
}
"""What a file may read, and what it is called, in the order of a page."""
NOBODY = FileUse()


@dataclass(frozen=True, slots=True)
class FilePage:
    """All that there is to say of a file."""

    source: SourceFile
    use: FileUse
    lines: tuple[SourceLine, ...]
    """Its lines; empty if its text is not shown."""
    coverage: Coverage
    """How much of it was rendered for anybody."""
    keys: tuple[str, ...]
    """The top-level keys that it sets."""

    @property
    def reads(self) -> list[tuple[str, list[SourceRead]]]:
        """What it reads, by kind."""
        found: dict[str, list[SourceRead]] = {}
        for read in sorted(self.use.reads, key=lambda one: one.name):
            found.setdefault(read.asked, []).append(read)
        return [(KINDS[kind], found[kind]) for kind in KINDS if kind in found]

    @property
    def ways(self) -> list[tuple[TargetPlace, tuple[str, ...], Minions]]:
        """The targets that give it, and the includes in between."""
        return [
            (target, chain, minions) for (target, chain), minions in sorted(self.use.ways.items())
        ]

    @property
    def names(self) -> list[tuple[str, str]]:
        """The names that it was rendered by, each with its environment; none of a top file."""
        return sorted(name for name in self.use.names if name[1])

    @property
    def gives_nothing(self) -> bool:
        """Whether nobody has a value of it, though it was rendered."""
        return bool(self.names) and not self.use.lines and not self.keys

    def fails_by(self, findings: Iterable[Diagnostic]) -> bool:
        """Say whether nobody has a value of it because of one of these findings."""
        return self.gives_nothing and any(one.severity is Severity.ERROR for one in findings)

    @property
    def never_wins(self) -> list[int]:
        """The lines whose values are overridden wherever they are given."""
        return sorted(number for number, line in self.use.lines.items() if line.never_wins)


def describe_files(
    gathered: GatheredSources,
    sources: PillarSources,
    is_wanted: Callable[[SourceFile], bool] = lambda _: True,
) -> dict[str, FilePage]:
    """Return what there is to say of files, by their names."""
    uses = read_uses(gathered)
    found = {one.file: one for one in sources.files()}
    renders = (render for group in gathered.groups for render in group.renders)
    imported = dict.fromkeys(one for render in renders for one in render.imports)
    others = map(sources.find_imported, sorted(imported, key=lambda one: one.file))
    found |= {one.file: one for one in others if one is not None}
    wanted = {file: one for file, one in found.items() if is_wanted(one)}
    masked = dict(sources.mask(_judge(gathered, uses, wanted.values())))
    keys = _find_keys(gathered)
    return {
        file: _describe(source, uses.get(file, NOBODY), masked.get(file, ()), keys.get(file, ()))
        for file, source in wanted.items()
    }


def _judge(
    gathered: GatheredSources, uses: dict[str, FileUse], files: Iterable[SourceFile]
) -> dict[str, JudgedLines]:
    """Return what is known of the lines of the files whose text is shown."""
    shown, secret = _by_file(gathered.shown), _by_file(gathered.secret)
    return {
        one.file: JudgedLines(
            frozenset(shown.get(one.file, ())),
            frozenset(secret.get(one.file, ())),
            _unrendered(uses.get(one.file, NOBODY), shown.get(one.file, ())),
        )
        for one in files
        if one.withheld is None
    }


def _by_file(lines: Iterable[Line]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for file, line in lines:
        found.setdefault(file, []).append(line)
    return found


def _unrendered(use: FileUse, shown: Iterable[int]) -> frozenset[int]:
    """Return the lines up to the last one with a value that nobody's render printed."""
    last = max((*use.lines, *shown), default=0)
    if not use.is_covered:
        return frozenset()
    bits = max(last, use.printed.bit_length())
    return frozenset(number for number in range(1, bits + 1) if not use.printed >> number & 1)


def _find_keys(gathered: GatheredSources) -> dict[str, list[str]]:
    """Return the top-level keys that files set."""
    found: dict[str, dict[str, None]] = {}
    for (file, _), paths in sorted(gathered.paths.items()):
        found.setdefault(file, {}).update((path.partition(":")[0], None) for path in paths)
    return {file: list(keys) for file, keys in found.items()}


def _describe(
    source: SourceFile, use: FileUse, masked: Sequence[MaskedLine], keys: Iterable[str]
) -> FilePage:
    return FilePage(
        source,
        use,
        tuple(describe_lines(masked, use)),
        find_coverage(masked, use),
        tuple(keys),
    )
