"""A change as lines of a ``diff`` block, which services colour: ``-``, ``+``, ``!`` for a sentence.

A value follows its whole key path, so that each line can be understood alone.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pillarbook.compare.change import Change
from pillarbook.compare.secret_pairs import describe_secrets
from pillarbook.compare.subsequence import common_subsequence
from pillarbook.model import to_tagged
from pillarbook.model.phrases import clip, clip_lines, clip_middle, clip_pair, count, describe_move
from pillarbook.redact import Redacted
from pillarbook.report.diff_wording import describe_how_often, show_path
from pillarbook.report.few_values import show_few, show_orders
from pillarbook.report.folded_atoms import FoldedAtoms
from pillarbook.report.value_html import TokenOf, make_visible
from pillarbook.report.yaml_block import list_lines, split_sides

MAX_PATH = 200
"""Characters of a key path."""
MAX_VALUE = 160
"""Characters of a value."""
MAX_TEXT = 40
"""Lines of a text's difference."""
MAX_OPEN = 12
"""Lines of what is added or removed that are shown without unfolding."""
MAX_OPEN_TEXT = 1_000
"""Characters that these lines have together."""
_AMBIGUOUS = re.compile(
    r"[-+.]?\d|(true|false|yes|no|on|off|null|~)$|[\s\"'\[{]|.*\s$", re.IGNORECASE
)
"""Texts that look like something else if they have no quotes."""


@dataclass(frozen=True, slots=True)
class BlockLines:
    """The lines of one change."""

    shown: Sequence[str]
    """Those that are always shown."""
    folded: Sequence[str] = ()
    """What it adds, removes or changes in full, if that is long."""

    def ended(
        self, comment: str, places: Mapping[str, str], to_base: str = "before in"
    ) -> "BlockLines":
        """Return the lines with a comment behind the first one.

        ``places`` has what the first line with a sign says too: where its value is set, with
        ``to_base`` before a place of the base.
        """
        shown = [f"{self.shown[0]}{comment}", *self.shown[1:]]
        ended = {0} if comment else set()
        for sign, place in places.items():
            at = next((at for at, line in enumerate(shown) if line[0] == sign), 0)
            words = f"{to_base} " if sign == "-" != shown[at][0] else ""
            shown[at] += f"{', ' if at in ended else '  # '}{words}{place}"
            ended.add(at)
        return replace(self, shown=shown)


def list_changed_lines(told: FoldedAtoms, token: TokenOf) -> BlockLines:
    """Return the lines of one change, each with its sign before it."""
    path = clip(show_path(told), MAX_PATH)
    full = [] if told.was is not None else _list_in_full(told.change, path, token)
    is_short = len(full) <= MAX_OPEN and sum(map(len, full)) <= MAX_OPEN_TEXT
    if full and is_short and told.times == told.variants == 1:
        return BlockLines(full)
    orders = show_orders(told, token)
    if orders is not None:
        lead = f"! {path}: order of members changed{describe_how_often(told, str)}"
        return BlockLines([lead, f"-   {orders[0]}", f"+   {orders[1]}"])
    first, *more = _list_lines(told.change, path, token)
    in_full = full or _list_uncut_texts(told.change, path)
    return BlockLines([first + describe_how_often(told, str), *more], in_full)


def _list_uncut_texts(change: Change, path: str) -> list[str]:
    """Return the lines of a changed text in full; empty if no line of it is cut."""
    before, after = change.before, change.after
    if change.kind != "changed" or not (isinstance(before, str) and isinstance(after, str)):
        return []
    if _has_lines(before, after):
        lines = _list_near(before, after)
        is_cut = len(lines) > MAX_TEXT or any(len(line) > MAX_VALUE for line in lines)
        return [f"! {path}:", *map(make_visible, lines)] if is_cut else []
    texts = _as_text(before, after), _as_text(after, before)
    if max(map(len, texts)) <= MAX_VALUE:
        return []
    return [f"{sign} {path}: {make_visible(text)}" for sign, text in zip("-+", texts, strict=True)]


def _list_in_full(change: Change, path: str, token: TokenOf) -> list[str]:
    """Return the lines of what a change adds and removes; empty if one line shows it."""
    if change.kind != "changed":
        return list_lines(change, token, path)
    return [
        line
        for side in split_sides(change)
        for line in (list_lines(side, token, path) or _list_lines(side, path, token))
    ]


def _list_lines(change: Change, path: str, token: TokenOf) -> Sequence[str]:
    if change.kind == "reordered":
        return [f"! {path}: order of keys changed"]
    if change.kind == "moved":
        moved = describe_move(change.moved_from, change.moved_to)
        return [f"! {path}: {_show(change.after, token)} {moved}"]
    if change.kind == "added":
        return [f"+ {path}: {_show(change.after, token)}"]
    if change.kind == "removed":
        return [f"- {path}: {_show(change.before, token)}"]
    return _list_two(change, path, token)


def _list_two(change: Change, path: str, token: TokenOf) -> Sequence[str]:
    """Return the lines of a value that another one replaces."""
    before, after = change.before, change.after
    if isinstance(before, Redacted) and isinstance(after, Redacted):
        tokens = f"token {token(before.secret_id)} → {token(after.secret_id)}"
        return [f"! {path}: {describe_secrets(change)} ({tokens})"]
    old, new = _show(before, token), _show(after, token)
    if isinstance(before, str) and isinstance(after, str):
        if _has_lines(before, after):
            return _list_text_lines(before, after, path)
        old, new = clip_pair(_as_text(before, after), _as_text(after, before), MAX_VALUE)
    return [f"- {path}: {old}", f"+ {path}: {new}"]


def _list_text_lines(before: str, after: str, path: str) -> list[str]:
    """Return how a text of several lines changed: what differs, and a line around it."""
    lines = _list_near(before, after)
    if not lines:
        return [f"! {path}: line breaks at the end changed"]
    shown = lines[:MAX_TEXT]
    gone, came = ([line[1:] for line in shown if line[0] == sign] for sign in "-+")
    cut = dict(zip("-+", map(iter, clip_lines(gone, came, MAX_VALUE)), strict=True))
    told = [
        f"{line[0]}{next(cut[line[0]])}" if line[0] in cut else clip_middle(line, MAX_VALUE)
        for line in shown
    ]
    left = len(lines) - MAX_TEXT
    more = [f"! ... {count(left, 'more line')}"] if left > 0 else []
    return [f"! {path}: text of {count(len(after.splitlines()), 'line')}", *told, *more]


def _has_lines(*texts: str) -> bool:
    return any("\n" in text.rstrip("\n") for text in texts)


def _list_near(before: str, after: str) -> list[str]:
    """Return the lines of which two texts differ, and a line around each."""
    lines = list(_compare_lines(before.splitlines(), after.splitlines()))
    near = {at + by for at, line in enumerate(lines) if line[0] != " " for by in (-1, 0, 1)}
    return [line for at, line in enumerate(lines) if at in near]


def _compare_lines(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """Yield the lines of both texts in their order, indented by their sign."""
    at = to = 0
    for one, other in [*common_subsequence(old, new), (len(old), len(new))]:
        yield from (f"-   {line}" for line in old[at:one])
        yield from (f"+   {line}" for line in new[to:other])
        if one < len(old):
            yield f"    {old[one]}"
        at, to = one + 1, other + 1


def _show(value: Any, token: TokenOf) -> str:
    if isinstance(value, Redacted):
        return f"<redacted: {value.reason}, {token(value.secret_id)}>"
    if isinstance(value, dict | list | tuple):
        return show_few(value, token)
    return clip_middle(json.dumps(to_tagged(value), ensure_ascii=False), MAX_VALUE)


def _as_text(value: str, other: str) -> str:
    """Return a text as it is, or quoted if one of the two could be taken for something else."""
    plain = value and other and not (_AMBIGUOUS.match(value) or _AMBIGUOUS.match(other))
    return value if plain else json.dumps(value, ensure_ascii=False)
