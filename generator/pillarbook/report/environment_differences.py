"""What a minion would get in the other environments: the keys that differ, side by side.

The first environment is what the others are compared to. Changes that minions share are written
once: rows are kept by the identity of the changes under one top-level key.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from pillarbook.compare.change import Change
from pillarbook.compare.fold import ANY_POSITION
from pillarbook.model import KeyPath
from pillarbook.model.shared_results import SharedResults
from pillarbook.redact.redacted_pillar import RedactedPillar
from pillarbook.report.key_patterns import TypedPath, typed_path
from pillarbook.report.page_parts import PagePart
from pillarbook.report.row_ids import ListPositions
from pillarbook.report.rows import write_key_row, write_shared_row
from pillarbook.report.sides import MinionSides
from pillarbook.report.source import EnvironmentSide
from pillarbook.report.value_html import TokenOf, show_in_short, show_order_in_short, strip_code

TITLE = "In other environments"
"""What the section is called."""
MAX_ROWS = 200
"""Keys that differ, as far as a minion's page lists them."""
# A cell's class and what it says, if the environment has no change at the row's own path.
# The style sheet says "missing" in a cell that is empty: most cells are, on the pages of a fleet.
ABSENT = ("", "")
SAME = ("same", "same")
LIST_DIFFERS = ("part", "list differs")
IN_PART = ("part", "partly different")
ORDERS = frozenset({"reordered", "moved"})
"""Kinds of change that leave values alone."""

Top: TypeAlias = tuple[type, Hashable] | None
"""The top-level key that a change is under, with its type; None for the order of those keys."""
FoundChanges: TypeAlias = tuple[tuple[Change, ...], ...]
"""Changes under one top-level key, by environment."""


@dataclass(frozen=True, slots=True)
class EnvironmentColumn:
    """An environment that has a column in the table."""

    side: EnvironmentSide
    """The environment; the first column's is what the others are compared with."""
    outcome: str
    """The minion's outcome there."""
    faults: tuple[str, ...]
    """The errors there."""


@dataclass(frozen=True, slots=True)
class Differences:
    """What the section about other environments says."""

    columns: tuple[EnvironmentColumn, ...]
    """The first environment and those that can be compared with it; at least two, or none."""
    part: PagePart
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
    others: dict[int, tuple[str, str]] = field(default_factory=dict)

    @property
    def shown_path(self) -> KeyPath:
        """The path; its list positions are any, as on the page of a pair."""
        places = dict.fromkeys(self.positions, str(ANY_POSITION))
        return tuple(places.get(place, key) for place, key in enumerate(self.path))


class DifferenceRows:
    """Writes what differs between the environments, minion after minion."""

    def __init__(self, token: TokenOf) -> None:
        self._token = token
        # Minions that differ alike share the tuples of all changes.
        self._groups: SharedResults[Mapping[Top, FoundChanges]] = SharedResults()
        # Those that differ alike under one key share the changes there.
        self._kept: SharedResults[list[str]] = SharedResults()

    def write(self, sides: MinionSides) -> Differences:
        """Return what differs for a minion.

        Each of at least one side is compared with the first.
        """
        compared = [0, *(number for number in range(1, len(sides.sides)) if _counts(sides, number))]
        columns = tuple(
            EnvironmentColumn(side, pillar.outcome, pillar.faults or pillar.errors)
            for side, pillar in (sides.sides[number] for number in compared)
        )
        if len(columns) < 2:
            compared, columns = [], ()
        changes = [sides.changes[number] for number in compared[1:]]
        grouped = self._groups.find(lambda: _group(changes), *changes)
        rows = [row for found in grouped.values() for row in self._rows(found)]
        return Differences(
            columns=columns,
            part=_write_part(columns, "".join(islice(rows, MAX_ROWS)), len(rows)),
            shown=min(len(rows), MAX_ROWS),
            count=len(rows),
            left_out=tuple(
                side for number, side in enumerate(sides.sides) if number not in compared
            ),
        )

    def _rows(self, found: FoundChanges) -> list[str]:
        return self._kept.find(
            lambda: [
                write_key_row(row.shown_path, row.positions, _cells(row, len(found)))
                for row in _gather(found, self._token)
            ],
            *(change for changes in found for change in changes),
            also=tuple(map(len, found)),
        )


def _write_part(columns: Sequence[EnvironmentColumn], rows: str, keys: int) -> PagePart:
    """Return the rows as a part of a page."""
    names = tuple(one.side.name for one in columns)
    return PagePart(TITLE, rows, write_shared_row(keys, 1 + len(names)), columns=names)


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
            key = (typed_path(change.path), change.positions, change.kind == "added", before)
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
        self._changed = {typed_path(one.path) for one in changes if one.kind not in ORDERS}
        self._above = {path[:length] for path in self._changed for length in range(len(path))}

    def describe(self, row: _Row) -> tuple[str, str]:
        """Return the cell: a key may be gone with one above it, or differ in what is below."""
        path = typed_path(row.path)
        # Behind a position paths of two environments need not mean the same member.
        sure = row.positions[0] if row.positions else len(path) - 1
        if row.kind == "added" or any(path[:n] in self._changed for n in range(sure + 1)):
            return ABSENT
        if row.kind in ORDERS:
            return SAME
        if row.positions:
            return LIST_DIFFERS if self._touches_members(path[:sure], len(path)) else SAME
        return IN_PART if path in self._above else SAME

    def _touches_members(self, list_path: TypedPath, length: int) -> bool:
        """Say whether a change may be about a row in a list; whole members differ by their rows."""
        depth = len(list_path)
        deep = depth + 1 if length == depth + 1 else depth
        return any(path[:depth] == list_path and len(path) > deep for path in self._changed)


def _cells(row: _Row, others: int) -> Iterator[tuple[str, str]]:
    """Yield for each environment the class of its cell, and what the cell says."""
    yield ABSENT if row.kind == "added" else ("", row.first)
    for number in range(others):
        cell = row.cells.get(number)
        if cell is None:
            yield row.others[number]
        else:
            yield ("", cell) if cell else ABSENT


def _show_sides(change: Change, token: TokenOf) -> tuple[str, str]:
    """Return both cells of a change; empty if the key is missing there."""
    if change.kind == "reordered":
        before, after = show_order_in_short(change.before), show_order_in_short(change.after)
    else:
        before = "" if change.kind == "added" else show_in_short(change.before, token)
        after = "" if change.kind == "removed" else show_in_short(change.after, token)
    if change.kind == "moved":
        before = show_in_short(change.after, token, change.moved_from)
        after = show_in_short(change.after, token, change.moved_to)
    return strip_code(before), strip_code(after)
