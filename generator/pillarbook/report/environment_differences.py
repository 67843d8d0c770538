"""What a minion would get in the other environments: the keys that differ, side by side.

The first environment is what the others are compared to. Changes that minions share are written
once: rows are kept by the identity of the changes under one top-level key.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import islice
from typing import Any, TypeAlias

from markupsafe import Markup

from pillarbook.compare import ANY_POSITION
from pillarbook.compare.change import Change
from pillarbook.model import KeyPath
from pillarbook.redact.redacted_pillar import RedactedPillar
from pillarbook.report.key_html import ListPositions, show_path
from pillarbook.report.rows import RowSection, find_anchor
from pillarbook.report.sides import MinionSides
from pillarbook.report.source import EnvironmentSide
from pillarbook.report.value_html import TokenOf, make_visible, show_value

MAX_ROWS = 200
"""Keys that differ, as far as a minion's page lists them."""
MAX_KEPT = 20_000
"""Groups of rows that are kept."""
MAX_CHARACTERS = 120
"""Characters of a text that a cell shows."""
MAX_KEYS = 20
"""Keys of an order that a cell shows."""
ABSENT = '<td class="none"{label}>not there</td>'
SAME = '<td class="same"{label}>the same</td>'
LIST_DIFFERS = '<td class="part"{label}>the list differs</td>'
IN_PART = '<td class="part"{label}>differs in part</td>'
ORDERS = frozenset({"reordered", "moved"})
"""Kinds of change that leave values alone."""

Top: TypeAlias = tuple[type, Hashable] | None
"""The top-level key that a change is under, with its type; None for the order of those keys."""
_TypedPath: TypeAlias = tuple[tuple[type, Hashable], ...]
FoundChanges: TypeAlias = tuple[tuple[Change, ...], ...]
"""Changes under one top-level key, by environment."""


@dataclass(frozen=True, slots=True)
class EnvironmentColumn:
    """An environment that stands in the table."""

    side: EnvironmentSide
    """The environment; the first column's is what the others are compared with."""
    outcome: str
    """What comes of the minion there."""
    faults: tuple[str, ...]
    """What goes wrong there."""


@dataclass(frozen=True, slots=True)
class Differences:
    """What the section about other environments says."""

    columns: tuple[EnvironmentColumn, ...]
    """The first environment and those that can be compared with it; at least two, or none."""
    rows: Markup
    """A table row for each key that differs."""
    shown: int
    """How many rows there are."""
    count: int
    """How many there would be without a limit."""
    left_out: tuple[tuple[EnvironmentSide, RedactedPillar], ...]
    """The environments that cannot be compared: no top file, a failure, or nothing to get."""


@dataclass(slots=True)
class _Row:
    """A key that differs, with a cell for each environment."""

    path: KeyPath
    positions: ListPositions
    first: str
    kind: str
    cells: dict[int, str] = field(default_factory=dict)
    others: dict[int, str] = field(default_factory=dict)


class DifferenceRows:
    """Writes what differs between the environments, minion after minion."""

    def __init__(self, token: TokenOf) -> None:
        self._token = token
        self._groups: dict[tuple[int, ...], tuple[object, Mapping[Top, FoundChanges]]] = {}
        self._kept: dict[
            tuple[object, ...], tuple[FoundChanges, RowSection | None, tuple[str, ...]]
        ] = {}

    def write(self, sides: MinionSides, sections: Mapping[Any, RowSection]) -> Differences:
        """Return what differs for a minion.

        Args:
            sides: Its pillars by environment, compared with the first; at least one.
            sections: The sections of its page by top-level key, to link to.
        """
        compared = [0, *(number for number in range(1, len(sides.sides)) if _counts(sides, number))]
        columns = tuple(
            EnvironmentColumn(side, pillar.outcome, pillar.faults or pillar.errors)
            for side, pillar in (sides.sides[number] for number in compared)
        )
        if len(columns) < 2:
            compared, columns = [], ()
        grouped = self._grouped([sides.changes[number] for number in compared[1:]])
        names = tuple(column.side.name for column in columns)
        rows = [
            row
            for top, found in grouped.items()
            for row in self._rows(found, names, None if top is None else sections.get(top))
        ]
        return Differences(
            columns=columns,
            rows=Markup("".join(islice(rows, MAX_ROWS))),  # noqa: S704 (escaped where written)
            shown=min(len(rows), MAX_ROWS),
            count=len(rows),
            left_out=tuple(
                side for number, side in enumerate(sides.sides) if number not in compared
            ),
        )

    def _grouped(self, changes: list[tuple[Change, ...]]) -> Mapping[Top, FoundChanges]:
        # Minions that differ alike share the whole tuple.
        identity = tuple(map(id, changes))
        kept = self._groups.get(identity)
        if kept is None:
            if len(self._groups) >= MAX_KEPT:
                self._groups.clear()
            kept = self._groups[identity] = (changes, _group(changes))
        return kept[1]

    def _rows(
        self, found: FoundChanges, names: tuple[str, ...], section: RowSection | None
    ) -> tuple[str, ...]:
        # The names of the environments are part of it, as columns have them.
        identity = (names, id(section), *(tuple(map(id, changes)) for changes in found))
        kept = self._kept.get(identity)
        if kept is None:
            if len(self._kept) >= MAX_KEPT:
                self._kept.clear()
            rows = tuple(_write_row(row, names, section) for row in _gather(found, self._token))
            # What the identities stand for is kept too, so that they stay its own.
            kept = self._kept[identity] = (found, section, rows)
        return kept[2]


def _counts(sides: MinionSides, number: int) -> bool:
    """Tell whether there is something to compare, or nothing at all on both sides."""
    (_, base), (_, head) = sides.sides[0], sides.sides[number]
    if sides.is_bare(0) or sides.is_bare(number) or "failed" in (base.outcome, head.outcome):
        return False
    return head.outcome != "empty" or base.outcome == "empty"


def _group(changes: Sequence[Sequence[Change]]) -> dict[Top, FoundChanges]:
    """Return the changes of each environment by top-level key, in the order of their coming."""
    found: dict[Top, list[list[Change]]] = {}
    for number, of_one in enumerate(changes):
        for change in of_one:
            top = (type(change.path[0]), change.path[0]) if change.path else None
            if top not in found:
                found[top] = [[] for _ in changes]
            found[top][number].append(change)
    return {top: tuple(map(tuple, of_all)) for top, of_all in found.items()}


def _gather(found: FoundChanges, token: TokenOf) -> list[_Row]:
    """Return a row for each key, with what each environment makes of it."""
    rows: dict[Hashable, _Row] = {}
    for number, changes in enumerate(found):
        for change in changes:
            before, after = _show_sides(change, token)
            # Positions count in the head: one position can be two members of the first list.
            key = (_typed(change.path), change.positions, change.kind == "added", before)
            row = rows.get(key)
            if row is None or number in row.cells:
                row = _Row(change.path, tuple(sorted(change.positions)), before, change.kind)
                rows[key if key not in rows else (key, number, len(rows))] = row
            row.cells[number] = after
    for number, changes in enumerate(found):
        around = _Around(changes)
        for row in rows.values():
            if number not in row.cells:
                row.others[number] = around.describe(row)
    return list(rows.values())


class _Around:
    """What an environment that has no change at a row's own path makes of it all the same."""

    def __init__(self, changes: Sequence[Change]) -> None:
        self._changed = {_typed(one.path) for one in changes if one.kind not in ORDERS}
        self._above = {path[:length] for path in self._changed for length in range(len(path))}

    def describe(self, row: _Row) -> str:
        """Return the cell: a key may be gone with one above it, or differ in what is below."""
        path = _typed(row.path)
        # Behind a position paths of two environments need not mean the same member.
        sure = row.positions[0] if row.positions else len(path) - 1
        if row.kind == "added" or any(path[:n] in self._changed for n in range(sure + 1)):
            return ABSENT
        if row.kind in ORDERS:
            return SAME
        if row.positions:
            return LIST_DIFFERS if self._touches_members(path[:sure], len(path)) else SAME
        return IN_PART if path in self._above else SAME

    def _touches_members(self, list_path: _TypedPath, length: int) -> bool:
        """Say whether a change may be about a row in a list; whole members differ by their rows."""
        depth = len(list_path)
        deep = depth + 1 if length == depth + 1 else depth
        return any(path[:depth] == list_path and len(path) > deep for path in self._changed)


def _typed(path: KeyPath) -> _TypedPath:
    return tuple((type(key), key) for key in path)


def _write_row(row: _Row, names: Sequence[str], section: RowSection | None) -> str:
    path = _show_path(row) if row.path else "<b>top-level keys</b>"
    # A position is one of the first environment's list or of another's: the list has the row.
    anchor = find_anchor(row.path[: row.positions[0]] if row.positions else row.path, section)
    link = f'<a href="#{anchor}">{path}</a>' if anchor else path
    labels = [f' data-l="{escape(make_visible(name))}"' for name in names]
    is_added = row.kind == "added"
    first = ABSENT.format(label=labels[0]) if is_added else f"<td{labels[0]}>{row.first}</td>"
    cells = (_write_cell(row, number, label) for number, label in enumerate(labels[1:]))
    return f'<tr><th scope="row">{link}</th>{first}{"".join(cells)}</tr>\n'


def _show_path(row: _Row) -> str:
    """Return a path whose list positions are any, as on the page of a pair."""
    places = {place: str(ANY_POSITION) for place in row.positions}
    path = tuple(places.get(place, key) for place, key in enumerate(row.path))
    return show_path(path, row.positions)


def _write_cell(row: _Row, number: int, label: str) -> str:
    cell = row.cells.get(number)
    if cell is None:
        return row.others[number].format(label=label)
    return f"<td{label}>{cell}</td>" if cell else ABSENT.format(label=label)


def _show_sides(change: Change, token: TokenOf) -> tuple[str, str]:
    """Return both cells of a change; empty where the key is not there."""
    match change.kind:
        case "moved":
            member = _show(change.after, token)
            return (
                f"{member} <small>at position {change.moved_from}</small>",
                f"{member} <small>at position {change.moved_to}</small>",
            )
        case "reordered":
            return _show_order(change.before), _show_order(change.after)
        case "added":
            return "", _show(change.after, token)
        case "removed":
            return _show(change.before, token), ""
        case "changed":
            return _show(change.before, token), _show(change.after, token)


def _show_order(keys: Sequence[Hashable]) -> str:
    shown = ", ".join(show_path((key,)) for key in keys[:MAX_KEYS])
    more = f" and {len(keys) - MAX_KEYS} more" if len(keys) > MAX_KEYS else ""
    return f"<small>in this order</small> {shown}{more}"


def _show(data: Any, token: TokenOf) -> str:
    if isinstance(data, Mapping | list) and data:
        count = _count(data)
        return f"<small>{'1 value' if count == 1 else f'{count} values'}</small>"
    if isinstance(data, str) and (len(data) > MAX_CHARACTERS or "\n" in data[:-1]):
        line = data.partition("\n")[0][:MAX_CHARACTERS]
        lines = data.rstrip("\n").count("\n") + 1
        size = f"{lines} lines" if lines > 1 else f"{len(data):,} characters"
        return f"{show_value(line, token)}… <small>{size}</small>"
    return show_value(data, token)


def _count(data: Any) -> int:
    if isinstance(data, Mapping) and data:
        return sum(map(_count, data.values()))
    return sum(map(_count, data)) if isinstance(data, list) and data else 1
