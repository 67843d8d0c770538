"""Key paths on a page: the ids of their rows, and what scripts read of them."""

import datetime as dt
import json
from collections import Counter
from collections.abc import Hashable
from typing import Any, TypeAlias
from urllib.parse import quote

from pillarbook.model import KeyPath, to_tagged

ListPositions: TypeAlias = tuple[int, ...]
"""Which places of a path are positions in a list, counted from 0."""

_EXACT = 2**53
"""Integers below are numbers to a script without loss."""


def list_positions(path: KeyPath, data: Any) -> ListPositions:
    """Return which places of a path are list positions."""
    found = []
    for place, key in enumerate(path[1:], start=1):
        if isinstance(data, list):
            found.append(place)
        elif not isinstance(data, dict):
            break
        data = data[key]
    return tuple(found)


def row_id(path: KeyPath) -> str:
    """Return the id of a row: ``k-`` and the keys, percent-encoded, joined by dots."""
    return "k-" + ".".join(map(_encode_key, path))


class RowIds:
    """Gives each row of a page an id of its own, also if several are about one path."""

    def __init__(self) -> None:
        self._times: Counter[str] = Counter()

    def take(self, anchor: str) -> str:
        """Return an id; if it is taken, with a number behind it."""
        self._times[anchor] += 1
        times = self._times[anchor]
        return anchor if times == 1 else f"{anchor}~{times}"


def write_path_data(path: KeyPath, positions: ListPositions, *, is_plain: bool = True) -> str:
    """Return the attributes from which a script reads what the id alone does not say.

    ``data-n`` has the places that are list positions, unless the last is the only one: the text of
    the path marks that. ``data-p`` is the path as tagged JSON, if
    the id does not say the keys; it is empty if a script cannot hold such a key.

    ``is_plain`` says whether the row's id is the one that the path gives.
    """
    is_marked = positions == (len(path) - 1,)
    numbers = f' data-n="{" ".join(map(str, positions))}"' if positions and not is_marked else ""
    odd = [key for place, key in enumerate(path) if place not in positions and not _is_told(key)]
    if not odd and is_plain:
        return numbers
    text = json.dumps(to_tagged(list(path))) if all(map(_is_exact, odd)) else ""
    quoted = text.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#39;")
    return f"{numbers} data-p='{quoted}'"


def _is_told(key: Hashable) -> bool:
    """Say whether a script can read the key from the row's id; not a half of a surrogate pair."""
    return isinstance(key, str) and (
        key.isascii() or not any("\ud800" <= c <= "\udfff" for c in key)
    )


def _is_exact(key: Hashable) -> bool:
    if isinstance(key, int):
        return abs(key) < _EXACT
    return key is None or isinstance(key, str | dt.date)


def _encode_key(key: Hashable) -> str:
    if isinstance(key, str) and key.isascii() and key.replace("_", "").isalnum():
        return key
    # A dot within a key would read as the one between two.
    return quote(str(key), safe="", errors="surrogatepass").replace(".", "%2E")
