"""Tagged JSON: dates, bytes, sets, NaN, and mappings whose keys are not strings."""

import base64
import datetime as dt
import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from pillarbook.model.unknown import Unknown

FLOAT = "$float"
INFINITIES = ((f'{{"{FLOAT}": "inf"}}', "1e999"), (f'{{"{FLOAT}": "-inf"}}', "-1e999"))
"""Infinities as they are tagged, and as numbers."""


def to_tagged(value: Any) -> Any:
    """Return plain data in a form that ``json.dumps`` takes.

    A mapping with a key that is not a string, or that begins with ``$``, becomes ``{"$map": [[key,
    value], ...]}``.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Mapping):
        if all(isinstance(key, str) and not key.startswith("$") for key in value):
            return {str.__str__(key): to_tagged(item) for key, item in value.items()}
        return {"$map": [[to_tagged(key), to_tagged(item)] for key, item in value.items()]}
    if isinstance(value, list | tuple):
        return [to_tagged(item) for item in value]
    return _tag_scalar(value)


def _tag_scalar(value: Any) -> Any:
    if isinstance(value, float):  # JSON has neither NaN nor infinities, but Python would write them
        return value if math.isfinite(value) else {FLOAT: str(value)}
    if isinstance(value, Unknown):
        return {"$unknown": ", ".join(value.sources)}
    if isinstance(value, set | frozenset):
        return {"$set": sorted((to_tagged(item) for item in value), key=repr)}
    if isinstance(value, dt.date):
        tag = "$datetime" if isinstance(value, dt.datetime) else "$date"
        return {tag: value.isoformat()}
    if isinstance(value, bytes):
        return {"$bytes": base64.b64encode(value).decode("ascii")}
    return str(value)


def write_as_salt(tagged: Any) -> str:
    """Return tagged data as a line of JSON whose infinities are numbers, as in Salt's output.

    Salt writes ``Infinity``, which is no JSON; a number that is too large is read as the same.
    """
    text = json.dumps(tagged, ensure_ascii=False)
    for written, number in INFINITIES if FLOAT in text else ():
        text = text.replace(written, number)
    return text


def from_tagged(value: Any) -> Any:
    """Return the plain data that ``to_tagged`` wrote."""
    if isinstance(value, list):
        return [from_tagged(item) for item in value]
    if not isinstance(value, dict):
        return value
    for tag, body in value.items() if len(value) == 1 else ():
        reader = _READERS.get(tag)
        if reader is not None:
            return reader(body)
    return {key: from_tagged(item) for key, item in value.items()}


def _read_unknown(body: Any) -> Unknown:
    if not isinstance(body, str):
        raise TypeError("the source of an unknown value is no text")
    return Unknown((body,))


_READERS: dict[str, Callable[[Any], Any]] = {
    "$unknown": _read_unknown,
    "$map": lambda body: {_hashable(from_tagged(key)): from_tagged(item) for key, item in body},
    "$set": lambda body: {_hashable(from_tagged(item)) for item in body},
    "$datetime": dt.datetime.fromisoformat,
    "$date": dt.date.fromisoformat,
    "$bytes": base64.b64decode,
    FLOAT: float,
}


def _hashable(value: Any) -> Any:
    return tuple(_hashable(item) for item in value) if isinstance(value, list) else value
