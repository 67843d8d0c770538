"""Redacted pillars made of plain data, as they come through the door."""

from collections.abc import Iterator
from itertools import count
from typing import Any

from tests.support.redacted import make_pillar

from pillarbook.compare.change import Change
from pillarbook.model import KeyPath
from pillarbook.redact import Redacted, RedactedLeaf, RedactedOrigin, RedactedPillar

HEAD_FILE = "pillar/head.sls"
BASE_FILE = "pillar/base.sls"


def as_pillar(
    data: dict[Any, Any], file: str = HEAD_FILE, minion: str = "m1", **more: Any
) -> RedactedPillar:
    """Return data as a pillar; each leaf has a line of its own, and a line 0 that it overrode."""
    lines = count(1)
    leaves = tuple(
        RedactedLeaf(path, value, (_at(file, 0, value), _at(file, next(lines), value)))
        for path, value in find_leaves(
            {key: part for key, part in data.items() if key != "_errors"}
        )
    )
    given = {"outcome": "ok" if data else "empty", "data": data}
    return make_pillar(minion, *leaves, **(given | more))


def _at(file: str, line: int, value: Any) -> RedactedOrigin:
    return RedactedOrigin(file, line, "a", "base", value)


def find_leaves(data: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    """Yield scalars, empty mappings and empty lists with their paths; of no data nothing."""
    if isinstance(data, dict | list) and data:
        for key, item in data.items() if isinstance(data, dict) else enumerate(data):
            yield from find_leaves(item, (*path, key))
    elif path:
        yield path, data


def describe(value: Any) -> Any:
    """Return what tells data apart: types, key order, places of secrets; NaN is itself."""
    if isinstance(value, dict):
        return "map", [(describe(key), describe(item)) for key, item in value.items()]
    if isinstance(value, list | tuple):
        return "list", [describe(item) for item in value]
    if isinstance(value, Redacted):
        return "secret", value.secret_id
    return type(value).__name__, repr(value)


def describe_change(change: Change) -> Any:
    """Return all that a change says."""
    return (
        change.kind,
        describe(change.path),
        describe(change.before),
        describe(change.after),
        change.before_origin and (change.before_origin.file, change.before_origin.line),
        change.after_origin and (change.after_origin.file, change.after_origin.line),
        describe(change.behind) if change.behind is not None else None,
        (change.moved_from, change.moved_to),
        sorted(change.positions),
    )
