"""Other values of the same type and look, to see what changes with a value."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

_DIGITS = "0123456789"
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_UPPER = _LOWER.upper()
_NEXT = str.maketrans(
    {
        letter: letters[(place + 1) % len(letters)]
        for letters in (_DIGITS, _LOWER, _UPPER)
        for place, letter in enumerate(letters)
    }
)


def other_values(value: Any) -> Iterator[Any]:
    """Yield values to try in the place of a scalar, the likest first.

    A text comes first with each letter and digit moved on by one, so that an address still looks
    like one, then with a letter more. What is no text, number, truth value or date has none.
    """
    if isinstance(value, str):
        yield from _other_texts(value)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield value + 1
        yield value - 1000.5 if isinstance(value, float) else value - 1000
    elif isinstance(value, dt.date):
        yield value + dt.timedelta(days=-1 if value.year == dt.MAXYEAR else 1)
    elif value is None:
        yield "other"


def _other_texts(text: str) -> Iterator[str]:
    moved = text.translate(_NEXT)
    if moved != text:
        yield moved
    yield f"{text}x"
    if text:
        yield ""
