"""Merges of plain data, as Salt's functions do them for templates.

Source: Salt ``salt/utils/dictupdate.py``, ``salt/utils/aggregation.py``.
"""

from collections.abc import Mapping
from typing import Any

from pillarbook.compile.renderers.jinja.plain_data import to_plain
from pillarbook.compile.renderers.jinja.sls_map import SlsMap


def update(dest: Any, upd: Any, *, recursive: Any = True, merge_lists: Any = False) -> Any:
    """Update a mapping in place, key by key, and return it.

    The values of ``upd``, which wins, are added to ``dest`` without a copy. If ``recursive``,
    mappings on both sides are merged; if ``merge_lists``, lists are joined, without values that
    exist.

    Raises:
        TypeError: One of them is not a mapping.
    """
    if not isinstance(dest, Mapping) or not isinstance(upd, Mapping):
        raise TypeError("Cannot update using non-dict types in dictupdate.update()")
    changed: Any = dest
    for key in list(upd):
        value = upd[key]
        changed[key] = _updated(dest.get(key), value, merge_lists) if recursive else value
    return changed


def _updated(old: Any, new: Any, merge_lists: Any) -> Any:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return update(old, new, merge_lists=merge_lists)
    if merge_lists and isinstance(old, list) and isinstance(new, list):
        joined = to_plain(old)
        joined.extend([item for item in new if item not in joined])
        return joined
    return new


def merge(
    first: Any, second: Any, strategy: str, *, renderer: str = "yaml", merge_lists: Any = False
) -> Any:
    """Return one value merged over another.

    Only the strategy ``overwrite`` changes the first, as in Salt. An unknown strategy is
    ``recurse`` without merged lists; the renderer decides what ``smart`` is.
    """
    if strategy == "smart":
        is_yamlex = renderer.rpartition("|")[2] == "yamlex" or renderer.startswith("yamlex_")
        strategy = "aggregate" if is_yamlex else "recurse"
    if strategy == "list":
        return {
            key: [value, second[key]] if key in second else value for key, value in first.items()
        }
    if strategy == "aggregate":
        return _aggregate(first, second)
    if strategy == "overwrite":
        for key in second:
            if key in first:
                first[key] = second[key]
    elif strategy != "recurse":
        merge_lists = False
    return update(to_plain(first), second, merge_lists=merge_lists)


def _aggregate(first: Any, second: Any) -> Any:
    """Merge the top level: keys of mappings, items of lists; for other values, the second wins."""
    if isinstance(first, dict) and isinstance(second, dict):
        merged = SlsMap(first.items())
        for key, value in second.items():
            merged[key] = to_plain(value) if key in first else value
        return merged
    if isinstance(first, dict) or isinstance(second, dict):
        return SlsMap(second.items()) if isinstance(second, dict) else _as_list(second)
    known = _as_list(first)
    return known + [item for item in _as_list(second) if item not in known]


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple | set) else [value]
