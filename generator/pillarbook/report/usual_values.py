"""What most minions get, each with its own name in it, apart from the odd values of others."""

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar

from pillarbook.compare.change import Change
from pillarbook.compare.strict import Fingerprints
from pillarbook.model.phrases import count_alike
from pillarbook.redact import Redacted

T = TypeVar("T")

MAX_TEXT = 10_000
"""Characters of texts in which names are recognized."""
DECIMALS = 9
"""Digits after the point that count in the difference of two numbers."""
_WORD = re.compile(r"\w+|\W")


class Look(Enum):
    """What of two values is compared, the most exact first."""

    EXACT = "both values, or the words of which two texts differ"
    STEP = "by how much a number grows"
    NEW_VALUE = "the kind of the old value, and the new value"
    OLD_VALUE = "the old value, and the kind of the new value"
    KIND = "the kinds of both values"


def split_by_look(
    some: Sequence[T], shape_of: Callable[[T, Look], Hashable], sizes: Sequence[int]
) -> tuple[list[T], list[T], bool]:
    """Return those that do the same, which are more than half of all, and the others.

    The most exact look at which so many do the same decides. Also returns whether a reader may take
    one of the former for all of them: not if only the kinds of their values are the same.

    Args:
        some: What is split.
        shape_of: Returns what one of them does at a look.
        sizes: How many each stands for.
    """
    for look in Look:
        usual, others = split_usual(some, [shape_of(one, look) for one in some], sizes)
        if usual:
            return usual, others, look is not Look.KIND
    return [], [*some], False


def split_usual(
    some: Sequence[T], shapes: Sequence[Hashable], sizes: Sequence[int]
) -> tuple[list[T], list[T]]:
    """Return those with the shape that more than half of all have, and the others.

    Each has a shape, and a number that it stands for.
    """
    totals: dict[Hashable, int] = defaultdict(int)
    for shape, size in zip(shapes, sizes, strict=True):
        totals[shape] += size
    usual = max(totals, key=totals.__getitem__, default=None)
    if usual is None or totals[usual] * 2 <= sum(sizes):
        return [], [*some]
    pairs = list(zip(some, shapes, strict=True))
    return [one for one, shape in pairs if shape == usual], [
        one for one, shape in pairs if shape != usual
    ]


def find_shape(
    change: Change, names: Iterable[object], prints: Fingerprints, look: Look = Look.EXACT
) -> Hashable:
    """Return what a change does, whatever the names in its values are.

    Of a text that another one replaces, that is only the words that differ.

    Args:
        change: The change.
        names: The names: of its only minion, and of the keys that are its own.
        prints: Compares all other values.
        look: What of the values is compared.
    """
    texts = sorted({name for name in names if isinstance(name, str) and name}, key=len)
    wanted = find_names(*texts[::-1])
    marks = {text: f"\0{at}\0" for at, text in enumerate(texts)}

    def mask(value: Any, *, is_rough: bool) -> Hashable:
        if is_rough and isinstance(value, str | int | float | Redacted):
            return _kind_of(value)
        if isinstance(value, str):
            is_short = bool(texts) and len(value) <= MAX_TEXT
            return wanted.sub(lambda found: marks[found[0]], value) if is_short else value
        if isinstance(value, Mapping):
            return dict, tuple(
                (mask(key, is_rough=False), mask(one, is_rough=is_rough))
                for key, one in value.items()
            )
        if isinstance(value, list | tuple):
            return list, tuple(mask(one, is_rough=is_rough) for one in value)
        return prints.of(value)

    # What is only added or removed has no other value that is the same.
    rough = look is Look.KIND or (change.kind == "changed" and look)
    before = mask(change.before, is_rough=rough in (True, Look.NEW_VALUE))
    after = mask(change.after, is_rough=rough in (True, Look.OLD_VALUE))
    if look is Look.STEP and change.before.__class__ is change.after.__class__ in (int, float):
        return Look.STEP, round(change.after - change.before, DECIMALS)
    if isinstance(before, str) and isinstance(after, str):
        return _find_edit(before, after)
    return before, after


def _kind_of(value: str | float | Redacted) -> Hashable:
    """Return what two values share that need not be equal; of a secret, why it is one."""
    if isinstance(value, Redacted):
        return Redacted, value.reason
    return value.__class__.__name__, value if isinstance(value, bool) else None


@lru_cache(maxsize=10_000)
def find_names(*names: str) -> re.Pattern[str]:
    """Return a pattern of names that are no part of a longer word or number."""
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, names))})(?![^\W_])")


def names_of(minions: Sequence[str]) -> tuple[str, ...]:
    """Return the names by which values name a minion, whole and host; none of several minions."""
    names = (minions[0], minions[0].partition(".")[0]) if len(minions) == 1 else ()
    return tuple(filter(None, names))


def _find_edit(before: str, after: str) -> Hashable:
    if max(len(before), len(after)) > MAX_TEXT:
        return before, after
    old, new = _WORD.findall(before), _WORD.findall(after)
    begin = count_alike(old, new)
    old, new = old[begin:], new[begin:]
    end = count_alike(old[::-1], new[::-1])
    return tuple(old[: len(old) - end]), tuple(new[: len(new) - end])
