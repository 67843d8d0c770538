"""A minion's states: a page of their own, and their numbers on the minion's page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import jinja2
from markupsafe import Markup

from pillarbook.model import KeyPath
from pillarbook.model.shared_results import SharedResults
from pillarbook.redact.redacted_pillar import RedactedLeaf, RedactedPillar
from pillarbook.redact.redacted_states import MinionStates, SlsReads
from pillarbook.report.key_reads import KeyReads, ReadLine, list_reads, reads_all, word_reads
from pillarbook.report.places import link_rows
from pillarbook.report.rows import RowSection, SectionsByKey, find_anchor
from pillarbook.report.slug import slug
from pillarbook.report.state_rows import StateRows, StateTable
from pillarbook.report.templates import find_macro
from pillarbook.report.value_html import TokenOf

MAX_KEPT = 2_000
"""Lists of reads that are kept before all are let go."""


@dataclass(frozen=True, slots=True)
class ReadTables:
    """What states read of a minion's pillar, as HTML."""

    rows: Markup
    """Rows of the keys that were read."""
    count: int
    """How many these are."""
    whole: list[SlsReads]
    """The files that read the pillar as a whole."""
    unread: Markup
    """The keys that nothing reads, as items of a list."""
    unread_count: int
    """How many values these are."""
    missing: Markup
    """Rows of the keys that were read and are missing."""
    missing_count: int
    """How many these are."""


@dataclass(frozen=True, slots=True)
class StatePart:
    """The states of a minion, as pages show them."""

    lowstate: RedactedPillar
    """The states as they came through the redactor, for their errors."""
    table: StateTable
    reads: ReadTables | None
    """What they read; None if that was not recorded."""
    partly: bool
    """Whether a file that does not render may have read more."""
    traced: bool
    """Whether the sources of all arguments were found; else there were too many to try."""


class StateParts:
    """Writes the pages of minions' states."""

    def __init__(self, templates: jinja2.Environment, token: TokenOf, key_reads: KeyReads) -> None:
        self._template = templates.get_template("minion_states.html")
        self._rows = StateRows(templates, token)
        self._write_row = find_macro(templates, "read_row", "reads")
        self._write_unread = find_macro(templates, "unread_item", "reads")
        self._key_reads = key_reads
        # By all that the tables are written from; minions with the same renders share them.
        self._tables: SharedResults[ReadTables] = SharedResults(MAX_KEPT)
        # By what was read alone: more minions share that than also have the keys in the same rows.
        self._read: SharedResults[list[ReadLine]] = SharedResults(MAX_KEPT)

    def write(
        self,
        states: MinionStates,
        pillar: Iterable[RedactedLeaf],
        sections: Sequence[RowSection],
        by_key: SectionsByKey,
    ) -> StatePart:
        """Return what pages say of the states of a minion."""
        lowstate = states.states
        return StatePart(
            lowstate,
            self._rows.write(states, pillar, by_key),
            self._reads(states, sections, by_key) if states.recorded else None,
            partly=bool(lowstate.errors) or lowstate.raises is not None,
            traced=states.traced,
        )

    def write_page(self, minion: str, part: StatePart) -> str:
        """Return the page of a minion's states."""
        page = f"{slug(minion)}.html"
        return link_rows(self._template.render(minion=minion, page=page, states=part), page)

    def _reads(
        self, states: MinionStates, sections: Sequence[RowSection], by_key: SectionsByKey
    ) -> ReadTables:
        unread = tuple(
            (path, count, find_anchor(path, by_key))
            for path, count in self._key_reads.unread(sections, states)
        )
        asked = (states.sls, states.targets)
        read = self._read.find(lambda: list_reads(states, missing=False), also=asked)
        anchors = tuple(find_anchor(line.path, by_key) for line in read)
        return self._tables.find(
            lambda: self._write_reads(states, read, anchors, unread),
            also=(asked, unread, anchors),
        )

    def _write_reads(
        self,
        states: MinionStates,
        read: Sequence[ReadLine],
        anchors: Sequence[str | None],
        unread: Sequence[tuple[KeyPath, int, str | None]],
    ) -> ReadTables:
        missing = list_reads(states, missing=True)
        return ReadTables(
            Markup().join(map(self._write_line, read, anchors)),
            len(read),
            reads_all(states),
            Markup().join(self._write_unread(*one) for one in unread),
            sum(count for _, count, _ in unread),
            Markup().join(self._write_line(line, None) for line in missing),
            len(missing),
        )

    def _write_line(self, line: ReadLine, anchor: str | None) -> Markup:
        readers = [(reads, word_reads(ones)) for reads, ones in line.by]
        return self._write_row(line.path, anchor, readers)
