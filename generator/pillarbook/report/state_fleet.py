"""The states of the fleet: which minions get a state SLS, and which one reads a key; its pages."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import jinja2
from markupsafe import Markup

from pillarbook.model import KeyPath
from pillarbook.redact.redacted_states import KeyRead, SlsReads
from pillarbook.report.addresses import Page, sls_address
from pillarbook.report.gatherers import Tally, WrittenMinion
from pillarbook.report.group_links import GroupLinks
from pillarbook.report.key_fleet import KeyEntry
from pillarbook.report.key_patterns import KeyPatterns, TypedPath, row_address, typed_path
from pillarbook.report.key_reads import KeyReads, readers_of
from pillarbook.report.source_links import ForgeLinks
from pillarbook.report.state_rows import CHUNKS, function_of, id_of
from pillarbook.report.value_html import TokenOf

if TYPE_CHECKING:
    from pillarbook.report.rows import RowSection

# Sections, reads and chunks are kept alive by their ids until they are summed up.
MAX_PENDING = 3_000
"""Sections and their like that are counted before they are summed up."""
Sls = tuple[str, str]
"""Environment and name."""


@dataclass(slots=True)
class SlsLine:
    """A state SLS."""

    file: str
    minions: list[int] = field(default_factory=list)
    """Who gets it, by their places in the inventory."""
    reads: Tally[SlsReads] = field(default_factory=Tally)
    """What it read, on how many minions."""
    states: Tally[tuple[str, str]] = field(default_factory=Tally)
    """Its states by function and ID, on how many minions they are."""

    def take(self, other: "SlsLine") -> None:
        """Take what is known of other minions."""
        if min(other.minions) < min(self.minions):
            self.file = other.file
        self.minions += other.minions
        self.reads.take(other.reads)
        self.states.take(other.states)


@dataclass(slots=True)
class ReadCount:
    """What a state SLS reads of a key, over the fleet."""

    path: KeyPath = ()
    """The key; empty for one of a pattern of keys."""
    found: int = 0
    """On how many minions it is there."""
    default: int = 0
    """On how many it is missing, and each read has a default."""
    bare: int = 0
    """On how many it is missing, and a read has none."""


GivenStates: TypeAlias = tuple[
    Mapping[Sls, SlsLine], Sequence[int], Sequence[int], Mapping[TypedPath, Counter[Sls]]
]
"""The ``sls``, ``unknown``, ``broken`` and ``readers`` of a ``StateFleet`` in one process."""


class StateFleet:
    """Gathers the states of minions; a ``Gatherer``."""

    def __init__(self, token: TokenOf, key_reads: KeyReads, patterns: KeyPatterns) -> None:
        self._token = token
        self._key_reads = key_reads
        self._patterns = patterns
        self.sls: dict[Sls, SlsLine] = {}
        """The state SLS files that any minion gets."""
        self.unknown: list[int] = []
        """The minions whose reads were not recorded, by their places in the inventory."""
        self.broken: list[int] = []
        """The minions whose states have errors."""
        self._readers: dict[TypedPath, Counter[Sls]] = {}
        self._read: Counter[tuple[RowSection, SlsReads]] = Counter()
        self._chunks: dict[int, tuple[list[Any], int, int]] = {}

    def add(self, written: WrittenMinion) -> None:
        """Take one minion."""
        states, sections, rank = written.states, written.page.sections, written.rank
        if states is None:
            return
        for one in states.sls:
            line = self.sls.setdefault((one.saltenv, one.sls), SlsLine(one.file))
            line.minions.append(rank)
            line.reads.add(one, rank)
        if not states.recorded:
            self.unknown.append(rank)
        if states.states.errors or states.states.raises is not None:
            self.broken.append(rank)
        readers = readers_of(states)
        self._read.update((section, one) for section in sections for one in readers)
        chunks = states.states.data.get(CHUNKS) or []
        _, first, count = self._chunks.get(id(chunks), (chunks, rank, 0))
        self._chunks[id(chunks)] = chunks, first, count + 1
        if max(len(self._read), len(self._chunks)) > MAX_PENDING:
            self._sum_up()

    def give(self) -> GivenStates:
        """Return what was gathered, for another process."""
        self._sum_up()
        return self.sls, self.unknown, self.broken, self._readers

    def take(self, given: GivenStates) -> None:
        """Take what was gathered in another process."""
        self._sum_up()
        lines, unknown, broken, found = given
        for sls, line in lines.items():
            if sls in self.sls:
                self.sls[sls].take(line)
            else:
                self.sls[sls] = line
        self.unknown += unknown
        self.broken += broken
        for typed, readers in found.items():
            self._readers.setdefault(typed, Counter()).update(readers)

    @property
    def readers(self) -> Mapping[TypedPath, Counter[Sls]]:
        """Which state SLS read a key that is there, on how many minions; asked for at the end."""
        self._sum_up()
        return self._readers

    def _sum_up(self) -> None:
        for (section, reads), count in self._read.items():
            flags = self._key_reads.flags(section, reads)
            read = {
                self._patterns.pattern_of_leaf(row.leaf, row.positions).typed
                for row, is_read in zip(section.rows, flags, strict=True)
                if is_read
            }
            for key in read:
                readers = self._readers.setdefault(key, Counter())
                readers[reads.saltenv, reads.sls] += count
        for chunks, first, count in self._chunks.values():
            self._count_states(chunks, first, count)
        self._read.clear()
        self._chunks.clear()

    def _count_states(self, chunks: Sequence[Mapping[Any, Any]], first: int, count: int) -> None:
        for chunk in chunks:
            line = self.sls.get((str(chunk.get("__env__")), str(chunk.get("__sls__"))))
            if line is not None:
                named = function_of(chunk), id_of(chunk, self._token)
                line.states.add(named, first, count)


def count_reads(line: SlsLine) -> list[ReadCount]:
    """Return the keys that a state SLS reads, those that are read on most minions first."""
    found: dict[TypedPath, ReadCount] = {}
    for reads, count in line.reads.items():
        for path, kinds in _by_path(reads.reads).items():
            keys = tuple(key for _, key in path)
            one = found.setdefault(path, ReadCount(keys))
            if "bare" in kinds:
                one.bare += count
            elif "default" in kinds:
                one.default += count
            else:
                one.found += count
    return sorted(found.values(), key=lambda one: -(one.found + one.default + one.bare))


def _by_path(reads: Sequence[KeyRead]) -> dict[TypedPath, set[str | None]]:
    kinds: dict[TypedPath, set[str | None]] = {}
    for one in reads:
        if one.how != "mapping":
            path = typed_path(one.path)
            kinds.setdefault(path, set()).add(one.missing)
    return kinds


def missing_reads(fleet: StateFleet) -> Iterator[tuple[Sls, ReadCount]]:
    """Yield the keys that a state SLS reads on minions that do not have them."""
    for sls, line in sorted(fleet.sls.items()):
        for one in count_reads(line):
            if one.default or one.bare:
                yield sls, one


MAX_LISTED = 1000
"""Rows of a list that a page shows."""
MAX_MINIONS = 200
"""Minions that the page of a state SLS names."""


class StatePages:
    """Writes the pages about states, once every minion was written."""

    def __init__(
        self,
        states: StateFleet,
        keys: Sequence[KeyEntry],
        groups: GroupLinks,
        forge: ForgeLinks,
        templates: jinja2.Environment,
    ) -> None:
        self._states = states
        self._fleet = groups.fleet
        self._forge = forge
        self._templates = templates
        self._groups = groups
        self._keys = keys
        self.sls: tuple[Sls, ...] = tuple(sorted(states.sls))
        """The state SLS files, each of which has a page."""

    def plan(self) -> tuple[Page, ...]:
        """Return the pages of state SLS files."""
        return tuple(
            Page(
                sls_address(saltenv, name, ""),
                f"State SLS {name} ({saltenv})",
                "state-sls",
                number=number,
            )
            for number, (saltenv, name) in enumerate(self.sls)
        )

    def write_index(self) -> str:
        """Return the page about all states."""
        states, minions = self._states, len(self._fleet.minions)
        readers = states.readers
        unread = [one for one in self._keys if one.pattern.typed not in readers]
        missing = list(missing_reads(states))
        missing.sort(key=lambda pair: (-pair[1].bare, -pair[1].default))
        return self._templates.get_template("states.html").render(
            files=[self._describe_file(sls, states.sls[sls]) for sls in self.sls],
            minions=minions,
            unknown=self._group(states.unknown, "../"),
            broken=self._group(states.broken, "../"),
            unread=[(one, row_address(one.pattern)) for one in unread[:MAX_LISTED]],
            unread_count=len(unread),
            missing=missing[:MAX_LISTED],
            missing_count=len(missing),
        )

    def write_sls(self, number: int) -> str:
        """Return the page of a state SLS."""
        sls = self.sls[number]
        line = self._states.sls[sls]
        minions = self._fleet.name(line.minions)
        broken = set(self._states.broken).intersection(line.minions)
        recorded = sum(count for reads, count in line.reads.items() if reads.recorded)
        return self._templates.get_template("state_sls.html").render(
            sls=sls,
            file=line.file,
            there=self._forge.line_address(line.file, None),
            minions=len(line.minions),
            group=self._groups.name(minions, "../../"),
            named=[(one, self._fleet.minions[one].summary.slug) for one in minions[:MAX_MINIONS]],
            reads=count_reads(line),
            recorded=recorded,
            broken=self._group(sorted(broken), "../../") if broken else "",
            states=sorted(line.states.items(), key=lambda one: -one[1]),
        )

    def _group(self, ranks: Sequence[int], root: str) -> Markup:
        """Return what some minions are called, by their places in the inventory."""
        return self._groups.name(self._fleet.name(ranks), root)

    def _describe_file(self, sls: Sls, line: SlsLine) -> dict[str, Any]:
        """Return what the list says of a state SLS."""
        reads = count_reads(line)
        return {
            "sls": sls,
            "uri": sls_address(*sls, "").removeprefix("states/"),
            "minions": len(line.minions),
            "group": self._group(line.minions, "../"),
            "states": len(line.states),
            "reads": len(reads),
            "missing": sum(one.default + one.bare > 0 for one in reads),
        }
