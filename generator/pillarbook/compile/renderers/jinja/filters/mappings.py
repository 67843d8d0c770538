"""Filters about mappings, and about data of any shape.

Source: Salt ``salt/utils/dictupdate.py``, ``salt/utils/data.py``.
"""

import importlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pillarbook.compile.matchers.traverse import traverse
from pillarbook.compile.renderers.jinja.filters.text import to_bytes, to_num
from pillarbook.compile.renderers.jinja.function_errors import SaltFunctionError, SaltTemplateError
from pillarbook.compile.renderers.jinja.ordered_set import OrderedSet
from pillarbook.compile.renderers.jinja.plain_data import to_plain


def set_dict_key_value(
    mapping: Any, keys: str, value: Any, delimiter: str = ":", ordered_dict: Any = False
) -> Any:
    """Put a value at a path, making the mappings that lead there; return the changed mapping."""
    parent, last = _open_path(mapping, keys, delimiter, ordered_dict)
    parent[last] = value
    return mapping


def update_dict_key_value(
    mapping: Any, keys: str, value: Any, delimiter: str = ":", ordered_dict: Any = False
) -> Any:
    """Update the mapping at a path, made where it is missing; return the changed mapping."""
    place = _open_path(mapping, keys, delimiter, ordered_dict)
    _change(*place, "update", value, OrderedDict() if ordered_dict else {})
    return mapping


def append_dict_key_value(
    mapping: Any, keys: str, value: Any, delimiter: str = ":", ordered_dict: Any = False
) -> Any:
    """Append to the list at a path, made where it is missing; return the changed mapping."""
    _change(*_open_path(mapping, keys, delimiter, ordered_dict), "append", value, [])
    return mapping


def extend_dict_key_value(
    mapping: Any, keys: str, value: Any, delimiter: str = ":", ordered_dict: Any = False
) -> Any:
    """Extend the list at a path, made where it is missing; return the changed mapping."""
    _change(*_open_path(mapping, keys, delimiter, ordered_dict), "extend", value, [])
    return mapping


def _open_path(mapping: Any, keys: str, delimiter: str, ordered: Any) -> tuple[Any, str]:
    """Return the mapping that holds a path's last key, and that key; what is in the way goes."""
    *above, last = keys.split(delimiter)
    for key in above:
        if key not in mapping or not isinstance(mapping[key], dict):
            mapping[key] = OrderedDict() if ordered else {}
        mapping = mapping[key]
    return mapping, last


def _change(parent: Any, last: str, action: str, value: Any, empty: Any) -> None:
    """Call a method of the value at a key, which is ``empty`` where it is missing."""
    if last not in parent or parent[last] is None:
        parent[last] = empty
    kind = type(parent[last])
    try:
        getattr(parent[last], action)(value)
    except AttributeError as error:
        words = f"The last key contains a {kind}, which cannot {action}."
        raise SaltFunctionError(words) from error
    except (ValueError, TypeError) as error:
        raise SaltFunctionError(f"Cannot {action} {kind} with a {type(value)}.") from error


def compare_dicts(old: Any = None, new: Any = None) -> dict[Any, dict[str, Any]]:
    """Return the keys that differ with the values of both sides, an empty text for a missing one.

    They come in a set's order.
    """
    changes: dict[Any, dict[str, Any]] = {}
    for key in OrderedSet(new or {}).union(old or {}):
        if key not in old:
            changes[key] = {"old": "", "new": new[key]}
        elif key not in new:
            changes[key] = {"new": "", "old": old[key]}
        elif new[key] != old[key]:
            changes[key] = {"old": old[key], "new": new[key]}
    return changes


def to_entries(data: Any) -> list[dict[str, Any]]:
    """Return a mapping, or a list by position, as ``[{"key": ..., "value": ...}]``."""
    if not isinstance(data, dict | list):
        raise SaltTemplateError("Input data must be a dict or list")
    pairs = data.items() if isinstance(data, dict) else enumerate(data)
    return [{"key": key, "value": value} for key, value in pairs]


def from_entries(entries: Any) -> dict[Any, Any]:
    """Return the mapping of ``[{"key": ..., "value": ...}]``; ``name`` and capitals will do."""
    mapping = {}
    for entry in entries:
        pairs = entry.items() if isinstance(entry, Mapping) else entry
        lowered = {name.lower() if isinstance(name, str) else name: value for name, value in pairs}
        key = lowered.get("key") or lowered.get("name")
        if key:
            mapping[key] = lowered.get("value")
    return mapping


def json_query(data: Any, expr: str) -> Any:
    """Return what a JMESPath expression finds."""
    try:
        # The library that Salt uses, imported on use (docs/decisions/0008).
        jmespath = importlib.import_module("jmespath")
    except ModuleNotFoundError as error:
        raise RuntimeError("json_query requires jmespath module installed") from error
    return jmespath.search(expr, to_plain(data))


def mysql_to_dict(lines: Any, key: str) -> dict[Any, dict[str, Any]]:
    """Return the rows of a table that MySQL printed, by the column ``key``."""
    rows: dict[Any, dict[str, Any]] = {}
    headers: list[str] = []
    for line in lines:
        if not line or line.startswith("+"):
            continue
        cells = [cell.strip() for cell in line.split("|")]
        if len(headers) < 2:
            headers = cells
            continue
        columns = range(1, len(headers) - 1)
        row = {headers[column]: to_num(cells[column]) for column in columns}
        rows[row[key]] = row
    return rows


def encode_dict(
    data: Any,
    encoding: Any = None,
    errors: str = "strict",
    keep: Any = False,
    preserve_dict_class: Any = False,  # noqa: ARG001 (Salt makes plain ones all the same)
    preserve_tuples: Any = False,
) -> dict[Any, Any]:
    """Return a mapping with every text in it, at any depth, as bytes."""
    return _Encoding(encoding, errors, keep, preserve_tuples).encode_dict(data)


def encode_list(
    data: Any,
    encoding: Any = None,
    errors: str = "strict",
    keep: Any = False,
    preserve_dict_class: Any = False,  # noqa: ARG001 (Salt makes plain ones all the same)
    preserve_tuples: Any = False,
) -> list[Any]:
    """Return a list with every text in it, at any depth, as bytes."""
    return _Encoding(encoding, errors, keep, preserve_tuples).encode_list(data)


class _Encoding(NamedTuple):
    """How texts become bytes."""

    name: Any
    """The encoding, or some of which the first that fits is taken."""
    errors: str
    """How it refuses what it cannot hold, in Python's words."""
    keep: Any
    """Whether a text that it cannot hold stays."""
    keeps_tuples: Any
    """Whether a tuple stays one, and becomes no list."""

    def encode_dict(self, data: Any) -> dict[Any, Any]:
        return {self._encode(key): self._encode(item) for key, item in data.items()}

    def encode_list(self, data: Any) -> list[Any]:
        return [self._encode(item) for item in data]

    def _encode(self, value: Any) -> Any:
        if isinstance(value, dict):
            return self.encode_dict(value)
        if isinstance(value, list | tuple):
            members = self.encode_list(value)
            return tuple(members) if self.keeps_tuples and isinstance(value, tuple) else members
        if not isinstance(value, str | bytearray):
            return value
        try:
            return to_bytes(value, self.name, self.errors)
        except TypeError:  # an encoding that is none
            return value
        except UnicodeEncodeError:
            if not self.keep:
                raise
            return value


FILTERS: dict[str, Callable[..., Any]] = {
    "append_dict_key_value": append_dict_key_value,
    "compare_dicts": compare_dicts,
    "extend_dict_key_value": extend_dict_key_value,
    "from_entries": from_entries,
    "json_decode_dict": encode_dict,  # decodes nothing in Salt either
    "json_decode_list": encode_list,
    "json_encode_dict": encode_dict,
    "json_encode_list": encode_list,
    "json_query": json_query,
    "mysql_to_dict": mysql_to_dict,
    "set_dict_key_value": set_dict_key_value,
    "to_entries": to_entries,
    "traverse": traverse,
    "update_dict_key_value": update_dict_key_value,
}
