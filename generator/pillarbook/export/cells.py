"""Values of a redacted pillar as cells of a table."""

import json
from collections.abc import Callable
from typing import Any

from pillarbook.export.tables import Cell, Row
from pillarbook.model import KeyPath, format_path, to_tagged
from pillarbook.model.unknown import Unknown
from pillarbook.redact import Redacted, RedactedLeaf, RedactedOrigin
from pillarbook.report.secret_access import Source

TokenOf = Callable[[int], str]
ESCAPED = "escaped"
"""The type of a text that tables cannot contain: written as JSON."""
_TAGGED = {"$date", "$datetime", "$bytes", "$set"}
_KINDS = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (dict, "mapping"),
    (list, "list"),
)
"""The types of values; bool is before int, because a boolean is an integer, too."""


def write_name(text: str) -> str:
    """Return a text for tables: a NUL, or half a surrogate pair, is written with a backslash."""
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\x00")


def write_optional_name(text: str | None) -> str | None:
    """Return a text for tables, or nothing for nothing."""
    return None if text is None else write_name(text)


def write_value(value: Any) -> tuple[str | None, str]:
    """Return a value that is not secret as text, and its type."""
    if isinstance(value, str):
        is_storable = write_name(value) == value
        return (str.__str__(value), "text") if is_storable else (json.dumps(value), ESCAPED)
    if value is None:
        return None, "null"
    told = to_tagged(value)
    if isinstance(told, dict) and len(told) == 1:
        ((tag, body),) = told.items()
        if tag in _TAGGED:
            return body if isinstance(body, str) else json.dumps(body), tag[1:]
        if isinstance(value, float):
            return body, "number"
    kind = next((word for type_, word in _KINDS if isinstance(value, type_)), "other")
    return json.dumps(told), kind


def write_key(path: KeyPath) -> str:
    """Return a key path as Salt writes it."""
    return write_name(format_path(path))


def write_leaf(leaf: RedactedLeaf, token: TokenOf) -> list[Row]:
    """Return the rows of a value: its own, then those of values that it overrides, latest first."""
    key = write_key(leaf.path)
    *before, last = leaf.origins or (None,)
    rows = [(key, *_write_cells(leaf.value, token), *write_place(last), len(before))]
    for origin in reversed(before):
        assert origin is not None  # noqa: S101 (only a value without origins has None)
        rows.append((key, *_write_cells(origin.value, token), *write_place(origin), None))
    return rows


def _write_cells(value: Any, token: TokenOf) -> tuple[Cell, Cell, Cell, Cell]:
    """Return value, type, token and reason."""
    if isinstance(value, Redacted):
        return None, "secret", token(value.secret_id), write_name(value.reason)
    if isinstance(value, Unknown):
        return write_name(str(value)), "unknown", None, None
    return (*write_value(value), None, None)


def write_place(origin: RedactedOrigin | Source | None) -> Row:
    """Return file, line, SLS and environment of what gives a value."""
    if origin is None:
        return None, None, None, None
    return (
        write_name(origin.file),
        origin.line,
        write_optional_name(origin.sls),
        write_optional_name(origin.saltenv),
    )
