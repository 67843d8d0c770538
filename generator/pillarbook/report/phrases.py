"""Small phrases that pages, Markdown and text have in common."""

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def count(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: ``1 key``, ``1,200 keys``.

    Args:
        number: How many.
        one: The noun for one.
        many: The noun for any other number; None if it ends in ``s``.
    """
    return f"1 {one}" if number == 1 else f"{number:,} {many or one + 's'}"


def clip(text: str, most: int) -> str:
    """Return a text of at most so many characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def and_more(left: int, what: str = "") -> str:
    """Return the end of a list that leaves some out; nothing if it leaves out none."""
    return f" and {left:,} more{what}" if left > 0 else ""


def list_some(items: Sequence[T], most: int, write: Callable[[T], str]) -> str:
    """Return the first few of some items, and how many more there are."""
    return ", ".join(map(write, items[:most])) + and_more(len(items) - most)
