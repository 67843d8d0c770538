"""Values as Salt's JSON outputter prints them, on their way to the minion and back.

On the way, msgpack turns tuples and sets into lists, UTF-8 bytes and integers beyond 64 bits into
text, and each date into a ``datetime`` without a zone. For types that JSON lacks, the outputter
prints Python's ``repr``. With ``salt-call --local`` there is no such way, and values are printed
unchanged.

Source: Salt ``salt/payload.py`` (``dumps``, ``loads``), ``salt/transport/frame.py``
(``decode_embedded_strs``), ``salt/output/json_out.py``.
"""

import ast
import datetime as dt
import json
import math
from collections.abc import Mapping
from typing import Any

from pillarbook.model import Leaf, MapNode, Node

SMALLEST = -(2**63)
LARGEST = 2**64 - 1
MASK = "**********"
"""Printed instead of a value if ``pillar.items`` is called without ``unmask=True``.

Source: Salt ``salt/utils/secret.py`` (``serial``), new in 3008.
"""


def printed_key(key: Any) -> str:
    """Return a mapping's key as it is printed."""
    if isinstance(key, str):
        return str.__str__(key)
    if key is None or isinstance(key, bool | int | float):
        return json.dumps(key)
    made = printed_scalar(key)
    return made if isinstance(made, str) else repr(key)


def printed(node: Node) -> Any:
    """Return a node as data that is read back from its JSON; sets have an order of their own."""
    if isinstance(node, Leaf):
        return printed_scalar(node.value)
    if isinstance(node, MapNode):
        return {printed_key(key): printed(item) for key, item in node.items.items()}
    return [printed(item) for item in node.items]


def printed_scalar(value: Any) -> Any:
    """Return a value that is neither mapping nor list as data that is read back from its JSON."""
    if isinstance(value, str):
        return str.__str__(value)
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int):
        return int(value) if SMALLEST <= value <= LARGEST else str(value)
    if isinstance(value, Mapping):
        return {printed_key(key): printed_scalar(item) for key, item in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return [printed_scalar(item) for item in value]
    return _as_text(value) if isinstance(value, bytes) else repr(_as_sent(value))


def is_printed_as(value: Any, given: Any) -> bool:
    """Say whether a dump has a certain scalar, neither mapping nor list; types count.

    ``given`` is the dump's value, as ``json`` reads it.
    """
    if isinstance(value, set | frozenset):
        return _is_set(value, given)
    if isinstance(value, tuple):
        return (
            isinstance(given, list)
            and len(value) == len(given)
            and all(map(is_printed_as, value, given))
        )
    if is_same(printed_scalar(value), given):
        return True
    if isinstance(value, bytes | dt.date):  # as `salt-call --local` prints them
        return bool(given == repr(value))
    return isinstance(value, int) and is_same(value, given)


def is_same(value: Any, given: Any) -> bool:
    """Say whether two values of JSON types are the same; 1, 1.0 and true are different."""
    if value.__class__ is not given.__class__:
        return False
    if isinstance(value, dict):
        return value.keys() == given.keys() and all(
            is_same(value[key], given[key]) for key in value
        )
    if isinstance(value, list):
        return len(value) == len(given) and all(map(is_same, value, given))
    is_nan = isinstance(value, float) and math.isnan(value) and math.isnan(given)
    return is_nan or bool(value == given)


def is_masked(value: Any, given: Any) -> bool:
    """Say whether a dump hides a value behind Salt's mask, so that it cannot be compared."""
    if isinstance(value, tuple | set | frozenset):
        items = sorted(value, key=bool)
        return (
            isinstance(given, list)
            and len(given) == len(items)
            and MASK in given
            and all(map(_is_hidden, items, sorted(given, key=bool)))
        )
    return given == MASK and isinstance(value, str | bytes | int | float) and bool(value)


def _is_hidden(value: Any, given: Any) -> bool:
    return is_masked(value, given) or is_printed_as(value, given)


def _is_set(value: set[Any] | frozenset[Any], given: Any) -> bool:
    if isinstance(given, list):
        rest = list(given)
        for item in value:
            at = next((at for at, one in enumerate(rest) if is_printed_as(item, one)), None)
            if at is None:
                return False
            del rest[at]
        return not rest
    return isinstance(given, str) and (given == repr(value) or _read_set(given) == value)


def _read_set(text: str) -> Any:
    """Return the set for a ``repr`` of a set; None for any other text."""
    if text == "set()":
        return set()
    if not text.startswith("{"):
        return None
    try:
        made = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return made if isinstance(made, set) else None


def _as_text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return repr(value)


def _as_sent(value: Any) -> Any:
    """Return a date as the ``datetime`` without a zone that arrives; any other value unchanged."""
    if isinstance(value, dt.datetime):
        return value.replace(tzinfo=None)
    if isinstance(value, dt.date):
        return dt.datetime(value.year, value.month, value.day)  # noqa: DTZ001 (Salt's has none)
    return value
