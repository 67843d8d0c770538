"""Tables as CSV, one file each, in one zip archive: read back from the SQLite file, row by row.

Spreadsheets treat a cell that begins with =, +, -, @, a tab or a line break as a formula. So
anybody who writes a value could run a program on an auditor's machine. Such a cell gets a ' in
front, and so does a cell that begins with a ', so that the added one can be removed again. Numbers
are not changed.
"""

import csv
import io
import sqlite3
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from typing import IO

from pillarbook.export.searched import SecretGate
from pillarbook.export.tables import (
    OVERRIDDEN,
    PART_COLUMNS,
    TABLES,
    VALUES,
    VIEWS,
    Cell,
    name_column,
)

_RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "'")
_TYPE = list(PART_COLUMNS).index("type")
_VALUE = list(PART_COLUMNS).index("value")
_NUMBERS = {"integer", "number"}
# The earliest time that an archive can hold: the time of the export would make other bytes.
_TIME = (1980, 1, 1, 0, 0, 0)
# Limits memory; a part that is not kept is read again.
MAX_KEPT = 20_000
"""The most parts that are kept as lines."""
BLOCK = 2**20
"""The number of characters that are written at a time."""


def write_csv(out: IO[bytes], connection: sqlite3.Connection, gate: SecretGate) -> None:
    """Write all tables and views of a complete file.

    Args:
        out: The archive; only written forwards.
        connection: The open SQLite file.
        gate: Searches the lines.
    """
    # Level 6 takes twice the time for a fifth less: six seconds for 10,000 minions.
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for table, columns in TABLES.items():
            rows = connection.execute(f"SELECT * FROM {name_column(table)}")  # noqa: S608 (of ours)
            _write_member(archive, table, columns, map(_write_row, rows), gate)
        for view in (VALUES, OVERRIDDEN):
            lines = _write_view(connection, is_overridden=view == OVERRIDDEN)
            _write_member(archive, view, VIEWS[view], lines, gate)


def _write_member(
    archive: zipfile.ZipFile,
    table: str,
    columns: Iterable[str],
    lines: Iterable[str],
    gate: SecretGate,
) -> None:
    member = zipfile.ZipInfo(f"{table}.csv", _TIME)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o644 << 16
    blocks = _join(_write_row(tuple(columns)), lines)
    # The next block is made and searched while another thread compresses this one.
    with archive.open(member, "w", force_zip64=True) as file, ThreadPoolExecutor(1) as writer:
        written: Future[int] | None = None
        for block in gate.search_blocks(blocks, member.filename):
            if written is not None:
                written.result()
            written = writer.submit(file.write, block)
        if written is not None:
            written.result()


def _join(first: str, lines: Iterable[str]) -> Iterator[bytes]:
    """Yield lines in blocks."""
    waiting, size = [first], 0
    for line in lines:
        waiting.append(line)
        size += len(line)
        if size > BLOCK:
            yield "".join(waiting).encode()
            waiting, size = [], 0
    yield "".join(waiting).encode()


def _write_view(connection: sqlite3.Connection, *, is_overridden: bool) -> Iterator[str]:
    """Yield the lines of a view, one minion and environment after the other."""
    test = "IS NULL" if is_overridden else "IS NOT NULL"
    columns = list(VIEWS[OVERRIDDEN if is_overridden else VALUES])[2:]
    listed = ", ".join(map(name_column, columns))
    wanted = f"SELECT {listed} FROM part_rows WHERE part = ? AND overridden {test} ORDER BY number"  # noqa: S608 (names of ours)

    @lru_cache(maxsize=MAX_KEPT)
    def read(part: int) -> tuple[str, ...]:
        return tuple(map(_write_value, connection.execute(wanted, (part,))))

    names = "SELECT {0}_id, {0} FROM {0}_ids"
    minions = dict(connection.execute(names.format("minion")))
    environments = dict(connection.execute(names.format("environment")))
    for minion, environment, part in connection.execute(
        "SELECT minion_id, environment_id, part FROM minion_parts"
        " ORDER BY minion_id, environment_id, number"
    ):
        lines = read(part)
        if lines:
            start = _write_row((minions[minion], environments[environment]))[:-2] + ","
            yield "".join(f"{start}{line}" for line in lines)


def _write_value(row: Sequence[Cell]) -> str:
    """Return the line of a value; if it is a number, it may begin with a minus."""
    return _write_row(row, plain=_VALUE if row[_TYPE] in _NUMBERS else None)


def _write_row(row: Sequence[Cell], plain: int | None = None) -> str:
    written = io.StringIO()
    csv.writer(written).writerow(
        f"'{cell}" if isinstance(cell, str) and cell.startswith(_RISKY) and at != plain else cell
        for at, cell in enumerate(row)
    )
    return written.getvalue()
