"""Tables as a SQLite file: the same rows give the same bytes."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pillarbook.export.searched import SecretGate
from pillarbook.export.tables import INDEXES, Cell, create_statements, name_column

# Nobody reads the file before it is complete, and an incomplete file is deleted.
_PRAGMAS = ("journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE")
BLOCK = 2**20
"""The number of bytes that are read at a time."""
# Limits memory. Many rows have the same texts, which are then searched once.
BATCH = 10_000
"""The number of rows that are written, or searched, together."""


class SqliteFile:
    """Writes the tables."""

    def __init__(self, file: Path, gate: SecretGate) -> None:
        self.file = file
        """The path of the file."""
        self._gate = gate
        self._waiting: dict[str, list[Sequence[Cell]]] = {}
        self.connection = sqlite3.connect(file, isolation_level=None)
        """The open file."""
        for pragma in _PRAGMAS:
            self.connection.execute(f"PRAGMA {pragma}")
        self.connection.execute("BEGIN")
        for statement in create_statements():
            self.connection.execute(statement)

    def add_rows(self, table: str, rows: Iterable[Sequence[Cell]]) -> None:
        """Add rows to a table; they are written together with later ones."""
        waiting = self._waiting.setdefault(table, [])
        for row in rows:
            waiting.append(row)
            if len(waiting) >= BATCH:
                self._write(table)

    def _write(self, table: str) -> None:
        """Write the waiting rows of a table."""
        rows = self._waiting[table]
        if not rows:
            return
        places = ", ".join("?" * len(rows[0]))
        self.connection.executemany(
            f"INSERT INTO {name_column(table)} VALUES ({places})",  # noqa: S608 (a name of ours)
            rows,
        )
        rows.clear()

    def finish(self) -> None:
        """Complete the file, and search its content.

        Only now all secrets are known: some may be found while the last minions are redacted.

        Raises:
            LeakError: A cell contains a secret.
        """
        for table in self._waiting:
            self._write(table)
        for (table,) in self.connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        ).fetchall():
            rows = self.connection.execute(f"SELECT * FROM {name_column(table)}")  # noqa: S608 (as below)
            while found := rows.fetchmany(BATCH):
                self._gate.search_rows(found, table)
        for statement in INDEXES:
            self.connection.execute(statement)
        self.connection.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def read_blocks(self) -> Iterator[bytes]:
        """Yield the bytes of the file, after it is complete and closed."""
        with self.file.open("rb") as file:
            yield from iter(lambda: file.read(BLOCK), b"")
