"""Small phrases that pages, Markdown and text have in common."""

from collections.abc import Callable, Sequence
from os.path import commonprefix
from typing import TypeVar

T = TypeVar("T")


def count(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: ``1 key``, ``1,200 keys``.

    ``many`` is the noun for any other number than one, if it does not end in ``s``.
    """
    return f"1 {one}" if number == 1 else f"{number:,} {many or one + 's'}"


def clip(text: str, most: int) -> str:
    """Return a text of at most so many characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def clip_middle(text: str, most: int) -> str:
    """Return a text of at most so many characters, without its middle."""
    if len(text) <= most:
        return text
    tail = (most - 1) // 2
    return f"{text[: most - 1 - tail]}…{text[len(text) - tail :]}"


def clip_pair(before: str, after: str, most: int) -> tuple[str, str]:
    """Return two texts of at most some characters each, cut around what differs.

    Both keep their beginning, what differs, and their end.
    """
    if max(len(before), len(after)) <= most:
        return before, after
    same = count_alike(before, after)
    end = count_alike(before[same:][::-1], after[same:][::-1])
    return _cut_around(before, same, end, most), _cut_around(after, same, end, most)


def clip_lines(gone: Sequence[str], came: Sequence[str], most: int) -> tuple[list[str], list[str]]:
    """Clip the lines that a text loses and gets, without making two of them look alike.

    Each keeps its beginning and its end; if that is all the same, also what differs.
    """
    old = [clip_middle(line, most) for line in gone]
    new = [clip_middle(line, most) for line in came]
    places = {line: at for at, line in enumerate(old)}
    for at, line in enumerate(new):
        alike = places.get(line)
        if alike is not None and gone[alike] != came[at]:
            old[alike], new[at] = clip_pair(gone[alike], came[at], most)
    return old, new


def count_alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many characters two texts, or words two lists, share at their beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def common_ends(texts: Sequence[str]) -> tuple[str, str]:
    """Return what some texts begin with, and what the rest of them ends with."""
    begin = commonprefix(texts)  # noqa: RUF071 (of texts, not of paths)
    ends = [text[len(begin) :][::-1] for text in texts]
    return begin, commonprefix(ends)[::-1]  # noqa: RUF071 (as above)


def _cut_around(text: str, same: int, end: int, most: int) -> str:
    """Return a text without the middle of what it shares, and of what differs, if that is long."""
    quarter = most // 4
    lead = clip_middle(text[:same], quarter)
    trail = clip_middle(text[len(text) - end :] if end else "", quarter)
    room = most - len(lead) - len(trail)
    return lead + clip_middle(text[same : len(text) - end], room) + trail


def describe_move(start: int | None, end: int | None) -> str:
    """Return from where to where the member of a list moved."""
    if start == end:
        return f"moved among the others, and is still at position {end}"
    return f"moved from position {start} to {end}"


def and_more(left: int, what: str = "") -> str:
    """Return the end of a list that leaves some out; nothing if it leaves out none."""
    return f" and {left:,} more{what}" if left > 0 else ""


def cut_errors(errors: Sequence[str], most: int) -> tuple[str, ...]:
    """Return the first few of some errors, and how many more there are as the last one."""
    left = len(errors) - most
    return (*errors[:most], f"{left:,} more errors") if left > 1 else tuple(errors)


def list_some(items: Sequence[T], most: int, write: Callable[[T], str]) -> str:
    """Return the first few of some items, and how many more there are."""
    return ", ".join(map(write, items[:most])) + and_more(len(items) - most)
