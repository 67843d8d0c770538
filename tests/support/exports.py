"""Reads exports as their users do."""

import csv
import io
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from pillarbook.export.tables import TABLES, VIEWS

ALL = {**TABLES, **VIEWS}


def read_sqlite(file: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each table."""
    with closing(sqlite3.connect(file)) as connection:
        return {
            table: [
                dict(zip(columns, row, strict=True))
                for row in connection.execute(f'SELECT * FROM "{table}"')  # noqa: S608 (a name of ours)
            ]
            for table, columns in ALL.items()
        }


def read_csv(file: Path) -> dict[str, list[dict[str, str]]]:
    """Return the rows of each file of the archive; cells are as written."""
    with zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None
        return {
            name.removesuffix(".csv"): list(
                csv.DictReader(io.StringIO(archive.read(name).decode(), newline=""))
            )
            for name in archive.namelist()
        }


def read_bytes(file: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the bytes of an export; of an archive those of its files, too."""
    yield file.name, file.read_bytes()
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as archive:
            for name in archive.namelist():
                yield f"{file.name}/{name}", archive.read(name)


def as_csv(row: dict[str, Any]) -> dict[str, str]:
    """Return a row of the SQLite file as the archive has it."""
    is_number = row.get("type") in {"integer", "number"}

    def write(column: str, cell: Any) -> str:
        if not isinstance(cell, str):
            return "" if cell is None else str(cell)
        is_plain = is_number and column == "value"
        return f"'{cell}" if cell[:1] in set("=+-@\t\r\n'") and cell and not is_plain else cell

    return {column: write(column, cell) for column, cell in row.items()}
