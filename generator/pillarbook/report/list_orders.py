"""The order of a list's members that moved, before and after."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pillarbook.compare.fold import ListPosition, OwnKey, PathKey
from pillarbook.model import to_tagged
from pillarbook.model.phrases import and_more, clip_middle
from pillarbook.redact import Redacted
from pillarbook.report.few_values import show_few
from pillarbook.report.folded_atoms import FoldedAtoms
from pillarbook.report.told_changes import told_path
from pillarbook.report.value_html import TokenOf

MAX_MEMBERS = 8
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
    before = _write(((one.moved_from, one.before) for one in moves), token)
    after = _write(((one.moved_to, one.after) for one in moves), token)
    return before, after


def _write(members: Iterable[tuple[int | None, Any]], token: TokenOf) -> str:
    """Return members in the order of their positions."""
    ordered = sorted(members, key=lambda one: one[0] or 0)
    shown = ", ".join(f"{at}: {_show(value, token)}" for at, value in ordered[:MAX_MEMBERS])
    return shown + and_more(len(ordered) - MAX_MEMBERS)


def _show(value: Any, token: TokenOf) -> str:
    if isinstance(value, Redacted):
        return f"<redacted: {token(value.secret_id)}>"
    if isinstance(value, Mapping | list | tuple):
        return clip_middle(show_few(value, token), MAX_MEMBER)
    return clip_middle(json.dumps(to_tagged(value), ensure_ascii=False), MAX_MEMBER)
