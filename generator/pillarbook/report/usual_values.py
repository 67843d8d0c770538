"""What most minions get, each with its own name in it, apart from the odd values of others."""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from pillarbook.compare.change import Change
from pillarbook.compare.strict import Fingerprints
from pillarbook.model.phrases import count_alike

T = TypeVar("T")

MAX_TEXT = 10_000
"""Characters of texts in which names are recognized."""
_WORD = re.compile(r"\w+|\W")


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


def find_shape(change: Change, names: Iterable[object], prints: Fingerprints) -> Hashable:
    """Return what a change does, whatever the names in its values are.

    Of a text that another one replaces, that is only the words that differ.

    The names are those of its only minion, and of the keys that are its own.
    """
    texts = sorted({name for name in names if isinstance(name, str) and name}, key=len)
    wanted = find_names(*texts[::-1])
    marks = {text: f"\0{at}\0" for at, text in enumerate(texts)}

    def mask(value: Any) -> Hashable:
        if isinstance(value, str):
            is_short = bool(texts) and len(value) <= MAX_TEXT
            return wanted.sub(lambda found: marks[found[0]], value) if is_short else value
        if isinstance(value, Mapping):
            return dict, tuple((mask(key), mask(one)) for key, one in value.items())
        if isinstance(value, list | tuple):
            return list, tuple(map(mask, value))
        return prints.of(value)

    before, after = mask(change.before), mask(change.after)
    if isinstance(before, str) and isinstance(after, str):
        return _find_edit(before, after)
    return before, after


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
