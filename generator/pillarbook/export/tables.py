"""The tables of an export and their columns; the guide has the same list.

Minions share most of their data. So the SQLite file has the value of a top-level key once, as a
part, and each minion names its parts; ``values`` and ``overridden_values`` are views that combine
them. A program that reads the file sees the views as tables.
"""

from collections.abc import Mapping
from typing import TypeAlias

SCHEMA = "pillarbook.export/1"
AS_DECLARED = "as declared"
"""The environment of the pillar that a minion gets with the inventory's declaration."""
Cell: TypeAlias = str | int | None
Row: TypeAlias = tuple[Cell, ...]

_ORIGIN = {"file": "TEXT", "line": "INTEGER", "sls": "TEXT", "saltenv": "TEXT"}
_VALUE = {"key": "TEXT", "value": "TEXT", "type": "TEXT", "token": "TEXT", "reason": "TEXT"}

TABLES: Mapping[str, Mapping[str, str]] = {
    "about": {"name": "TEXT", "value": "TEXT"},
    "minions": {
        "minion": "TEXT",
        "outcome": "TEXT",
        "pillarenv": "TEXT",
        "saltenv": "TEXT",
        "grains": "TEXT",
    },
    "outcomes": {"minion": "TEXT", "environment": "TEXT", "outcome": "TEXT", "error": "TEXT"},
    "targets": {
        "target_id": "INTEGER",
        "target": "TEXT",
        "match": "TEXT",
        **_ORIGIN,
        "minions": "INTEGER",
    },
    "matches": {"target_id": "INTEGER", "minion": "TEXT"},
    "secrets": {
        "secret_id": "INTEGER",
        "key": "TEXT",
        "token": "TEXT",
        "reason": "TEXT",
        **_ORIGIN,
        "minions": "INTEGER",
        "changed": "TEXT",
        "changed_in": "TEXT",
    },
    "readers": {"secret_id": "INTEGER", "minion": "TEXT"},
    "diagnostics": {
        "diagnostic_id": "INTEGER",
        "code": "TEXT",
        "severity": "TEXT",
        "message": "TEXT",
        "file": "TEXT",
        "line": "INTEGER",
        "key": "TEXT",
        "help": "TEXT",
        "minions": "INTEGER",
    },
    "affected": {"diagnostic_id": "INTEGER", "minion": "TEXT"},
    "changes": {
        "change_id": "INTEGER",
        "kind": "TEXT",
        "key": "TEXT",
        "before": "TEXT",
        "before_token": "TEXT",
        "after": "TEXT",
        "after_token": "TEXT",
        "file": "TEXT",
        "line": "INTEGER",
        "ignored": "INTEGER",
        "minions": "INTEGER",
    },
    "changed_minions": {"change_id": "INTEGER", "minion": "TEXT"},
}
"""Columns by table, each with its type, in the order in which both formats have them."""

VALUES = "values"
OVERRIDDEN = "overridden_values"
VIEWS: Mapping[str, Mapping[str, str]] = {
    VALUES: {
        "minion": "TEXT",
        "environment": "TEXT",
        **_VALUE,
        **_ORIGIN,
        "overridden": "INTEGER",
    },
    OVERRIDDEN: {"minion": "TEXT", "environment": "TEXT", **_VALUE, **_ORIGIN},
}
"""Columns of the views."""

PART_COLUMNS: Mapping[str, str] = {**_VALUE, **_ORIGIN, "overridden": "INTEGER"}
"""Columns of a value within a part. ``overridden`` counts the values that it overrides; it is null
if the value is itself overridden."""

_INNER: Mapping[str, Mapping[str, str]] = {
    "part_rows": {"part": "INTEGER", "number": "INTEGER", **PART_COLUMNS},
    "minion_parts": {
        "minion_id": "INTEGER",
        "environment_id": "INTEGER",
        "number": "INTEGER",
        "part": "INTEGER",
    },
    "minion_ids": {"minion_id": "INTEGER", "minion": "TEXT"},
    "environment_ids": {"environment_id": "INTEGER", "environment": "TEXT"},
}
"""Columns of the tables behind the views."""
_KEYS = {
    "part_rows": "part, number",
    "minion_parts": "minion_id, environment_id, number",
    "minion_ids": "minion_id",
    "environment_ids": "environment_id",
}


def name_column(name: str) -> str:
    """Return a name for SQL, in quotes: ``values`` and some others are SQL keywords."""
    return f'"{name}"'


def create_statements() -> list[str]:
    """Return the SQL that makes the tables and views."""
    return [
        *(_create(table, columns) for table, columns in {**TABLES, **_INNER}.items()),
        _create_view(VALUES, "IS NOT NULL"),
        _create_view(OVERRIDDEN, "IS NULL"),
    ]


INDEXES = (
    "CREATE INDEX rows_by_key ON part_rows (key)",
    "CREATE INDEX minions_by_part ON minion_parts (part)",
    "CREATE INDEX readers_by_minion ON readers (minion)",
    "CREATE INDEX readers_by_secret ON readers (secret_id)",
    "CREATE INDEX matches_by_minion ON matches (minion)",
)
"""Created at the end, which is faster than to update them with each row."""


def _create(table: str, columns: Mapping[str, str]) -> str:
    key = f", PRIMARY KEY ({_KEYS[table]})) WITHOUT ROWID" if table in _KEYS else ")"
    listed = ", ".join(f"{name_column(name)} {kind}" for name, kind in columns.items())
    return f"CREATE TABLE {name_column(table)} ({listed}{key}"


def _create_view(view: str, test: str) -> str:
    names = {"minion": "minion_ids", "environment": "environment_ids"}
    columns = ", ".join(
        f"{names.get(column, 'part_rows')}.{name_column(column)} AS {name_column(column)}"
        for column in VIEWS[view]
    )
    joins = " ".join(
        f"JOIN {table} ON {table}.{column} = minion_parts.{column}"
        for table, column in (
            ("minion_ids", "minion_id"),
            ("environment_ids", "environment_id"),
            ("part_rows", "part"),
        )
    )
    selected = f"SELECT {columns} FROM minion_parts {joins}"  # noqa: S608 (names of ours)
    return f"CREATE VIEW {name_column(view)} AS {selected} WHERE part_rows.overridden {test}"
