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
from itertools import chain
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
"""The number of bytes that are written at a time."""
_START = b"\xff"  # where a line of a part begins: a byte that UTF-8 does not have


def write_csv(out: IO[bytes], connection: sqlite3.Connection, gate: SecretGate) -> None:
    """Write all tables and views of a complete file."""
    # Level 6 takes twice the time for a fifth less: six seconds for 10,000 minions.
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for table, columns in TABLES.items():
            rows = connection.execute(f"SELECT * FROM {name_column(table)}")  # noqa: S608 (of ours)
            lines = (_write_row(row).encode() for row in chain((tuple(columns),), rows))
            _write_member(archive, table, gate.search_blocks(_join(lines), f"{table}.csv"))
        for view in (VALUES, OVERRIDDEN):
            _write_member(archive, view, _join(_write_view(connection, view, gate)))


def _write_member(archive: zipfile.ZipFile, table: str, blocks: Iterable[bytes]) -> None:
    member = zipfile.ZipInfo(f"{table}.csv", _TIME)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o644 << 16
    # The next block is made and searched while another thread compresses this one.
    with archive.open(member, "w", force_zip64=True) as file, ThreadPoolExecutor(1) as writer:
        written: Future[int] | None = None
        for block in blocks:
            if written is not None:
                written.result()
            written = writer.submit(file.write, block)
        if written is not None:
            written.result()


def _join(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield lines in blocks."""
    waiting, size = [], 0
    for line in lines:
        waiting.append(line)
        size += len(line)
        if size > BLOCK:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)


def _write_view(connection: sqlite3.Connection, view: str, gate: SecretGate) -> Iterator[bytes]:
    """Yield the lines of a view, one minion and environment after the other.

    Minions share most parts, so the lines of a part are searched for secrets when they are read,
    and not again for each minion: what they get in front is in other tables as well.
    """
    test = "IS NULL" if view == OVERRIDDEN else "IS NOT NULL"
    columns = list(VIEWS[view])
    listed = ", ".join(map(name_column, columns[2:]))
    wanted = f"SELECT {listed} FROM part_rows WHERE part = ? AND overridden {test} ORDER BY number"  # noqa: S608 (names of ours)

    @lru_cache(maxsize=MAX_KEPT)
    def read(part: int) -> bytes:
        lines = [_write_value(row).encode() for row in connection.execute(wanted, (part,))]
        gate.search(b"".join(lines), f"{view}.csv")
        return b"".join(_START + line for line in lines)

    names = "SELECT {0}_id, {0} FROM {0}_ids"
    minions = dict(connection.execute(names.format("minion")))
    environments = dict(connection.execute(names.format("environment")))
    yield _write_row(columns).encode()
    for minion, environment, part in connection.execute(
        "SELECT minion_id, environment_id, part FROM minion_parts"
        " ORDER BY minion_id, environment_id, number"
    ):
        if lines := read(part):
            start = _write_row((minions[minion], environments[environment]))[:-2] + ","
            yield lines.replace(_START, start.encode())


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
