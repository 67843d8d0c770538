"""Mappings and lists on one line: few short values, and the order of members that moved."""

import json
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from pillarbook.compare.fold import ListPosition, OwnKey, PathKey
from pillarbook.model import to_tagged
from pillarbook.model.phrases import and_more, clip_middle, count
from pillarbook.redact import Redacted
from pillarbook.report.folded_atoms import FoldedAtoms
from pillarbook.report.told_changes import told_path
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


MAX_MOVED = 8
"""Members that are shown of each order."""
MAX_MEMBER = 40
"""Characters of a member."""


def tells_order(told: FoldedAtoms) -> bool:
    """Say whether a change is that of several moves in one list."""
    is_one_list = not any(
        isinstance(key, PathKey | OwnKey | ListPosition) for key in told_path(told)
    )
    return told.change.kind == "moved" and told.times > 1 and is_one_list


def show_orders(told: FoldedAtoms, token: TokenOf) -> tuple[str, str] | None:
    """Return the members that moved as they were and as they are, each behind its position.

    Of minions with different lists, they are those of the first one. None if the change tells no
    order.
    """
    if not tells_order(told):
        return None
    minion = told.minions[0]
    moves = [atom.change for atom in told.atoms if minion in atom.minions]
    before = _write_order(((one.moved_from, one.before) for one in moves), token)
    after = _write_order(((one.moved_to, one.after) for one in moves), token)
    return before, after


def _write_order(members: Iterable[tuple[int | None, Any]], token: TokenOf) -> str:
    """Return members in the order of their positions."""
    ordered = sorted(members, key=lambda one: one[0] or 0)
    shown = ", ".join(f"{at}: {_show_member(value, token)}" for at, value in ordered[:MAX_MOVED])
    return shown + and_more(len(ordered) - MAX_MOVED)


def _show_member(value: Any, token: TokenOf) -> str:
    if isinstance(value, Redacted):
        return f"<redacted: {token(value.secret_id)}>"
    if isinstance(value, Mapping | list | tuple):
        return clip_middle(show_few(value, token), MAX_MEMBER)
    return clip_middle(json.dumps(to_tagged(value), ensure_ascii=False), MAX_MEMBER)
