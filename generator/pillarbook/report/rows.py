"""The rows of a pillar: one a value, under a section row for each top-level key.

A fleet has millions of rows, so a row says nothing twice: tags that HTML lets end by themselves are
left open, a section row names the file that set most of its values, and the rows of these name the
line only. Of the keys of one mapping the first links to its page, and the script adds the links of
the others, as it does what can be done with a row.

Minions share most of their values, and the objects with them, so rows are kept by the identity of
their leaf and sections by the identities of theirs. What is kept holds on to the leaves, because
an identity is only worth something while its object lives.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import Any, TypeAlias

from pillarbook.model import KeyPath
from pillarbook.model.limited_cache import RecentCache
from pillarbook.model.phrases import count
from pillarbook.redact.redacted_pillar import Redacted, RedactedLeaf, RedactedOrigin, secret_of
from pillarbook.report.key_patterns import ANY, KeyPatterns, row_address
from pillarbook.report.page_parts import MARK, PagePart
from pillarbook.report.places import write_origin, write_place, write_source
from pillarbook.report.row_ids import ListPositions, list_positions, row_id, write_path_data
from pillarbook.report.value_html import (
    TokenOf,
    show_in_cell,
    show_key,
    show_path_in_cell,
    show_value,
    write_text,
)

# What a row leaves out, and who adds it: docs/decisions/0025.
MAX_KEPT = 50_000
"""Rows that are kept in sections, some 20 MB."""
ALONE = 5
"""Of as many rows in sections one is kept by itself, twice if it is written again."""
NOTHING: Mapping[Any, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A value with its row of the table."""

    leaf: RedactedLeaf
    positions: ListPositions
    """Which places of its path are list positions."""
    anchor: str
    """The row's id."""
    html: str
    """A ``tr``, whose key is no link."""
    page: str
    """Where the key is described for the whole fleet."""
    beside: str | None
    """The page of a key beside it, up to the last key, if the script can tell this one from that;
    else None."""

    def link(self) -> str:
        """Return the row with its key as a link."""
        above, mark, below = self.html.partition("<td>")
        start, bold, last = above.rpartition("<b>")
        return f"{start}<a href={self.page}>{bold}{last}</a>{mark}{below}"


@dataclass(frozen=True, slots=True, eq=False)
class RowSection:
    """The rows under one top-level key."""

    html: str
    """A ``tbody``."""
    secrets: tuple[Redacted, ...]
    """The secrets among its values."""
    secret_rows: tuple[Row, ...]
    """Those values."""
    overridden: int
    """How many of its values were given in more than one place."""
    rows: tuple[Row, ...]
    """The values themselves."""
    anchors: tuple[str, ...]
    """The ids of its rows; the first is the section row's, if it has one."""
    data: Any
    """What the values are part of; kept because the section is found by it."""
    part: PagePart | None
    """What the page of a minion has instead if many minions share the section; None if it has no
    section row."""


Source: TypeAlias = tuple[str, str | None, str | None]
"""What sets a value, without the line: file, SLS and environment."""
SectionsByKey: TypeAlias = Mapping[tuple[type, Hashable], RowSection]
"""The sections of a page by their top-level keys with their types."""


class Rows:
    """Writes the rows of pillars and keeps those that came up."""

    def __init__(self, token: TokenOf, patterns: KeyPatterns, most_kept: int = MAX_KEPT) -> None:
        self._token = token
        self._patterns = patterns
        self._most_kept = most_kept
        # By the id of the redacted leaf, which the row keeps alive, its position in lists, which
        # the shared leaf does not know, and whether its section names what sets it.
        self._rows = RecentCache[tuple[int, ListPositions, bool], Row](most_kept // ALONE)
        # By the ids of all values of the section; the section keeps them, so that no id is used
        # twice.
        self._sections: dict[tuple[int, ...], RowSection] = {}
        self._in_sections = 0

    def sections(
        self, leaves: Iterable[RedactedLeaf], data: Mapping[Any, Any] = NOTHING
    ) -> list[RowSection]:
        """Return the sections of a pillar, in its order.

        ``data`` is the pillar as plain data, which says which integers of a path are list
        positions.
        """
        found = []
        for (_, key), group in groupby(leaves, lambda leaf: _top_key(leaf.path)):
            members = tuple(group)
            part = data.get(key)
            identity = (id(part), *map(id, members))
            section = self._sections.get(identity)
            if section is None:
                section = self._sections[identity] = self._begin_section(members, part)
                self._limit(len(members))
            found.append(section)
        return self._distinguish(found)

    def _begin_section(self, leaves: tuple[RedactedLeaf, ...], data: Any) -> RowSection:
        path = leaves[0].path
        header = row_id(path[:1]) if len(path) > 1 else None
        usual = _find_usual_source(leaves) if header is not None else None
        rows = tuple(self._row(leaf, list_positions(leaf.path, data), usual) for leaf in leaves)
        return self._write_section(rows, header, data)

    def _write_section(self, rows: tuple[Row, ...], header: str | None, data: Any) -> RowSection:
        lines = list(_link_first(rows))
        anchors = [row.anchor for row in rows]
        if header is not None:
            lines.insert(0, _write_header(rows, header))
            anchors.insert(0, header)
        html = f"<tbody>\n{''.join(lines)}"
        secrets = [(row, secret_of(row.leaf.value)) for row in rows]
        return RowSection(
            html=html,
            secrets=tuple(secret for _, secret in secrets if secret is not None),
            secret_rows=tuple(row for row, secret in secrets if secret is not None),
            overridden=sum(len(row.leaf.origins) > 1 for row in rows),
            rows=rows,
            anchors=tuple(anchors),
            data=data,
            part=None if header is None else _write_part(rows, header, html),
        )

    def _row(self, leaf: RedactedLeaf, positions: ListPositions, usual: Source | None) -> Row:
        key = (id(leaf), positions, _is_set_by(leaf, usual))
        kept: Row | None = self._rows.get(key)
        if kept is None:
            kept = self._rows[key] = self._write_row(leaf, positions, usual, row_id(leaf.path))
        return kept

    def _write_row(
        self, leaf: RedactedLeaf, positions: ListPositions, usual: Source | None, anchor: str
    ) -> Row:
        page = f"../keys/{row_address(self._patterns.pattern_of_leaf(leaf, positions))}"
        html = write_row(leaf, self._token, positions, anchor, usual)
        own = ANY if len(leaf.path) - 1 in positions else anchor.rpartition(".")[2]
        above, dot, last = page.rpartition(".")
        return Row(leaf, positions, anchor, html, page, above if dot and last == own else None)

    def _distinguish(self, sections: list[RowSection]) -> list[RowSection]:
        """Give each row an id of its own, also if keys such as ``80`` and ``"80"`` share one."""
        times = Counter(anchor for section in sections for anchor in section.anchors)
        if times.total() == len(times):
            return sections
        taken: set[str] = set()
        return [self._rename(section, times, taken) for section in sections]

    def _rename(
        self, section: RowSection, natural: Mapping[str, int], taken: set[str]
    ) -> RowSection:
        anchors = [_pick_free(anchor, natural, taken) for anchor in section.anchors]
        if tuple(anchors) == section.anchors:
            return section
        header = anchors.pop(0) if len(anchors) > len(section.rows) else None
        leaves = [row.leaf for row in section.rows]
        usual = _find_usual_source(leaves) if header is not None else None
        rows = tuple(
            self._write_row(row.leaf, row.positions, usual, anchor)
            for row, anchor in zip(section.rows, anchors, strict=True)
        )
        return self._write_section(rows, header, section.data)

    def _limit(self, written: int) -> None:
        """Let all go if too much is kept; cheaper than to know which rows will be needed again."""
        self._in_sections += written
        if self._in_sections > self._most_kept:
            self._sections.clear()
            self._in_sections = 0


def _link_first(rows: Iterable[Row]) -> Iterator[str]:
    """Yield rows; each whose page does not follow from the last link before it has a link."""
    linked = None
    for row in rows:
        yield row.html if row.beside is not None and row.beside == linked else row.link()
        linked = row.page.rpartition(".")[0]


def write_row(
    leaf: RedactedLeaf,
    token: TokenOf,
    positions: ListPositions = (),
    anchor: str | None = None,
    usual: Source | None = None,
) -> str:
    """Return one value as a table row: path, value, and the lines that set it.

    ``anchor`` is the row's id, if it is not the one that its path gives; ``usual`` is what the
    section row names: of a value that is set there, only the line is given.
    """
    natural = row_id(leaf.path)
    name = anchor or natural
    data = write_path_data(leaf.path, positions, is_plain=name == natural)
    overridden = "".join(write_overridden(one, token) for one in list_overridden(leaf.origins))
    last = leaf.origins[-1] if leaf.origins else None
    source = f":{last.line}" if last and _is_set_by(leaf, usual) else write_origin(last)
    return (
        f"<tr id={name}{data}><th>{show_path_in_cell(leaf.path, positions)}"
        f"<td>{show_in_cell(leaf.value, token)}<td>{source}"
        f"{f'<ol>{overridden}</ol>' if overridden else ''}\n"
    )


def write_key_row(path: KeyPath, positions: ListPositions, cells: Iterable[tuple[str, str]]) -> str:
    """Return a key with a cell for each environment or, of a grain, for its value as a table row.

    The path is empty for the order of top-level keys; each cell has its class and its HTML.
    """
    key = show_path_in_cell(path, positions) if path else "<b>top-level keys</b>"
    shown = "".join(f"<td class={css}>{text}" if css else f"<td>{text}" for css, text in cells)
    # Else the end of the line would be in the last cell, which is not empty then.
    end = "</td>" if shown.endswith("<td>") else ""
    return f"<tr><th>{key}{shown}{end}\n"


def write_shared_row(keys: int, cells: int) -> str:
    """Return the row that stands for keys on another page."""
    link = f'<a href="{MARK}">{count(keys, "key")}</a>'
    return f"<tr><th colspan={cells}>{link} <small>{MARK}</small>\n"


def _find_usual_source(leaves: Sequence[RedactedLeaf]) -> Source | None:
    """Return what sets most values of a section; None if no line is known."""
    sources = Counter(map(_source_of, leaves))
    del sources[None]
    return max(sources, key=sources.__getitem__, default=None)


def _source_of(leaf: RedactedLeaf) -> Source | None:
    """Return what sets a value; None if its line is not known."""
    last = leaf.origins[-1] if leaf.origins else None
    return None if last is None or last.line is None else (last.file, last.sls, last.saltenv)


def _is_set_by(leaf: RedactedLeaf, source: Source | None) -> bool:
    return source is not None and _source_of(leaf) == source


def _write_header(rows: Sequence[Row], anchor: str, shown: str = "{}") -> str:
    """Return the section row.

    ``shown`` is what it says of the number of values, as a format.
    """
    leaves = [row.leaf for row in rows]
    key = leaves[0].path[0]
    data = write_path_data((key,), (), is_plain=anchor == row_id((key,)))
    usual = _find_usual_source(leaves)
    return (
        f"<tr id={anchor} class=section{data}><th colspan=2 scope=rowgroup>"
        f'<a href="#{anchor}">{show_key(key)}</a> '
        f"<small>{shown.format(count(len(leaves), 'value'))}</small>"
        f"<td>{write_source(write_place(usual[0], None), *usual[1:]) if usual else ''}\n"
    )


def _write_part(rows: Sequence[Row], anchor: str, html: str) -> PagePart:
    """Return a section as a part of a page."""
    # By its id, scripts and the check of links know that the rows below are elsewhere.
    link = f'<a id={anchor}.* href="{MARK}#{anchor}">{{}}</a>, {MARK}'
    row = f"<tbody>\n{_write_header(rows, anchor, link)}"
    return PagePart(str(rows[0].leaf.path[0]), html, row, anchor)


def list_overridden(origins: Sequence[RedactedOrigin]) -> Sequence[RedactedOrigin]:
    """Return what a value overrides, without what the origin before it says already.

    An init.sls that includes ``.`` is included some 200 times over, and overrides itself.
    """
    if len(origins) < 3:
        return origins[:-1]
    groups = groupby(origins[:-1], _say_origin)
    return [next(group) for _, group in groups]


def _say_origin(one: RedactedOrigin) -> tuple[object, ...]:
    return one.file, one.line, one.saltenv, type(one.value), one.value, one.below


def write_overridden(origin: RedactedOrigin, token: TokenOf, address: str = "") -> str:
    """Return what a value overrides as a list's item."""
    value, place = show_value(origin.value, token), write_origin(origin, address)
    key = f"<code>{write_text(origin.text_below)}:</code> " if origin.below else ""
    return f"<li><small>overrides</small> {key}<del>{value}</del> {place}</li>"


def _pick_free(anchor: str, natural: Mapping[str, int], taken: set[str]) -> str:
    """Return an id for a row that is neither taken nor another row's by nature."""
    free, number = anchor, 1
    while free in taken or (number > 1 and free in natural):
        number += 1
        free = f"{anchor}~{number}"
    taken.add(free)
    return free


def find_anchor(path: KeyPath, sections: SectionsByKey) -> str | None:
    """Return the id of a path's row, else of the first row below it; None if there is none."""
    section = sections.get(_top_key(path))
    if section is None:
        return None
    anchor = row_id(path)
    if anchor in section.anchors:
        return anchor
    return next((one for one in section.anchors if one.startswith(f"{anchor}.")), None)


def sections_by_key(sections: Sequence[RowSection]) -> SectionsByKey:
    """Return the sections of a page by their top-level keys, to find the row of a path."""
    return {_top_key(section.rows[0].leaf.path): section for section in sections}


def _top_key(path: KeyPath) -> tuple[type, Hashable]:
    """Return a path's first key with its type, because 1 and True are equal and yet two keys."""
    return type(path[0]), path[0]
