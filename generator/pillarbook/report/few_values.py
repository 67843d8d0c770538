"""Mappings and lists of few short values, on one line."""

import json
import re
from collections.abc import Hashable, Iterator, Mapping
from itertools import islice
from typing import Any

from pillarbook.model import to_tagged
from pillarbook.model.phrases import count
from pillarbook.redact import Redacted
from pillarbook.report.value_html import TokenOf

MAX_LEAVES = 3
"""Values that a mapping or list may have to be shown and not counted."""
MAX_LEAF = 60
"""Characters of each, and of a key."""
DEEPEST = 5
"""Mappings and lists one within the other."""
_PLAIN_KEY = re.compile(r"[A-Za-z_][\w.-]*")


def show_few(value: Any, token: TokenOf) -> str:
    """Return a mapping or list on one line, or how much is in it.

    It is written as ``{port: 9100, hosts: ["a", "b"]}``. Where it has many values, or a long one,
    it is ``12 keys`` or ``1 member``.
    """
    if not value:
        return "{}" if isinstance(value, Mapping) else "[]"
    leaves = list(islice(_leaves(value, DEEPEST), MAX_LEAVES + 1))
    if len(leaves) <= MAX_LEAVES and all(_is_short(leaf, token) for leaf in leaves):
        return _write(value, token)
    return count(len(value), "key" if isinstance(value, Mapping) else "member")


def _leaves(value: Any, depth: int) -> Iterator[Any]:
    """Yield the values, and ``_TOO_DEEP`` instead of what is too deep or has a long key."""
    if not (isinstance(value, Mapping | list | tuple) and value):
        yield value
    elif not depth:
        yield _TOO_DEEP
    elif isinstance(value, Mapping):
        for key, below in value.items():
            is_short = len(_write_key(key)) <= MAX_LEAF
            yield from _leaves(below, depth - 1) if is_short else (_TOO_DEEP,)
    else:
        for below in value:
            yield from _leaves(below, depth - 1)


def _is_short(leaf: Any, token: TokenOf) -> bool:
    if leaf is _TOO_DEEP:
        return False
    return isinstance(leaf, Redacted) or len(_write(leaf, token)) <= MAX_LEAF


def _write(value: Any, token: TokenOf) -> str:
    if isinstance(value, Redacted):
        return f"<redacted: {value.reason}, {token(value.secret_id)}>"
    if isinstance(value, Mapping):
        pairs = (f"{_write_key(key)}: {_write(below, token)}" for key, below in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_write(below, token) for below in value)}]"
    return json.dumps(to_tagged(value), ensure_ascii=False)


def _write_key(key: Hashable) -> str:
    if isinstance(key, str) and _PLAIN_KEY.fullmatch(key):
        return key
    return json.dumps(to_tagged(key), ensure_ascii=False)


_TOO_DEEP = object()
