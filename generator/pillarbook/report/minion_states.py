"""The part of a minion's page about its states."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from markupsafe import Markup

from pillarbook.model import KeyPath
from pillarbook.redact.redacted_pillar import RedactedLeaf, RedactedPillar
from pillarbook.redact.redacted_states import MinionStates, SlsReads
from pillarbook.report.key_html import show_path
from pillarbook.report.key_reads import (
    KeyReads,
    ReadLine,
    joined,
    list_reads,
    reads_all,
    word_reads,
)
from pillarbook.report.rows import RowSection, find_anchor
from pillarbook.report.state_rows import StateRows, StateTable, sls_address
from pillarbook.report.value_html import TokenOf, make_visible

MAX_KEPT = 2_000
"""Lists of reads that are kept before all are let go."""


@dataclass(frozen=True, slots=True)
class ReadTables:
    """What states read of a minion's pillar, as HTML."""

    rows: Markup
    """Rows of the keys that were read."""
    count: int
    """How many these are."""
    whole: Markup
    """The files that read the pillar as a whole."""
    unread: Markup
    """The keys that nothing reads, as items of a list."""
    unread_count: int
    """How many values these are."""
    missing: Markup
    """Rows of the keys that were read and are not there."""
    missing_count: int
    """How many these are."""


@dataclass(frozen=True, slots=True)
class StatePart:
    """The part of a page about states."""

    lowstate: RedactedPillar
    """The states as they came through the redactor, for their errors."""
    table: StateTable
    """The states."""
    reads: ReadTables | None
    """What they read; None where that was not recorded."""
    partly: bool
    """Whether a file that does not render may have read more."""
    traced: bool
    """Whether it was found out of all arguments where they came from."""


class StateParts:
    """Writes the parts of minions' pages about states."""

    def __init__(self, token: TokenOf, key_reads: KeyReads) -> None:
        self._rows = StateRows(token)
        self._key_reads = key_reads
        self._tables: dict[Hashable, ReadTables] = {}
        self._read: dict[Hashable, list[ReadLine]] = {}

    def write(
        self,
        states: MinionStates,
        pillar: Iterable[RedactedLeaf],
        sections: Sequence[RowSection],
        by_key: Mapping[Any, RowSection],
    ) -> StatePart:
        """Return the part of a page.

        Args:
            states: The states of the minion.
            pillar: The values of its pillar.
            sections: The sections of its page.
            by_key: The same by top-level key.
        """
        lowstate = states.states
        return StatePart(
            lowstate,
            self._rows.write(states, pillar, by_key),
            self._reads(states, sections, by_key) if states.recorded else None,
            partly=bool(lowstate.errors) or lowstate.raises is not None,
            traced=states.traced,
        )

    def _reads(
        self, states: MinionStates, sections: Sequence[RowSection], by_key: Mapping[Any, RowSection]
    ) -> ReadTables:
        unread = tuple(
            (path, count, find_anchor(path, by_key.get(_top(path))))
            for path, count in self._key_reads.unread(sections, states)
        )
        read = self._lines(states)
        anchors = tuple(find_anchor(line.path, by_key.get(_top(line.path))) for line in read)
        # All that the tables are written from.
        key = (states.sls, states.targets, unread, anchors)
        tables = self._tables.get(key)
        if tables is None:
            if len(self._tables) >= MAX_KEPT:
                self._tables.clear()
            tables = self._tables[key] = _write_reads(states, read, anchors, unread)
        return tables

    def _lines(self, states: MinionStates) -> list[ReadLine]:
        key = (states.sls, states.targets)
        lines = self._read.get(key)
        if lines is None:
            if len(self._read) >= MAX_KEPT:
                self._read.clear()
            lines = self._read[key] = list_reads(states, missing=False)
        return lines


def _write_reads(
    states: MinionStates,
    read: Sequence[ReadLine],
    anchors: Sequence[str | None],
    unread: Sequence[tuple[KeyPath, int, str | None]],
) -> ReadTables:
    missing = list_reads(states, missing=True)
    whole = ", ".join(map(link_sls, reads_all(states)))
    return ReadTables(
        joined(_write_line(line, anchor) for line, anchor in zip(read, anchors, strict=True)),
        len(read),
        joined([whole]),
        joined(_write_unread(*one) for one in unread),
        sum(count for _, count, _ in unread),
        joined(_write_line(line, None) for line in missing),
        len(missing),
    )


def _top(path: KeyPath) -> tuple[type, Hashable]:
    return type(path[0]), path[0]


def _write_line(line: ReadLine, anchor: str | None) -> str:
    parts = []
    for reads, ones in line.by:
        words = word_reads(ones)
        parts.append(link_sls(reads) + (f" <small>{words}</small>" if words else ""))
    key = link_key(line.path, anchor)
    return f'<tr><th scope="row">{key}</th><td>{", ".join(parts)}</td></tr>\n'


def _write_unread(path: KeyPath, count: int, anchor: str | None) -> str:
    values = "" if count == 1 else f" <small>{count:,} values</small>"
    return f"<li>{link_key(path, anchor)}{values}</li>\n"


def link_key(path: KeyPath, anchor: str | None) -> str:
    """Return a key path, linked to its row where the page has one."""
    text = show_path(path)
    return text if anchor is None else f'<a href="#{anchor}">{text}</a>'


def link_sls(reads: SlsReads, root: str = "../") -> str:
    """Return the name of a state SLS as a link to its page; of targets, what they are."""
    if not reads.sls:
        return "targets of the top file"
    address = sls_address(reads.saltenv, reads.sls, root)
    return f'<a href="{address}">{escape(make_visible(reads.sls))}</a>'
