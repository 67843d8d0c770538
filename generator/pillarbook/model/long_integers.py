"""Integers that no master can send, because Python does not turn them into text.

Salt sends what has more than 64 bits as text, and Python refuses to write more than 4,300 digits:
the time for that grows with their square. Decimal text cannot give such an integer for the same
reason, but hexadecimal, binary and base 60 can.

Source: Salt ``salt/payload.py`` (``verylong_encoder``), Python ``sys.int_info``.
"""

from collections.abc import Mapping
from typing import Any

MAX_DIGITS = 4300
"""Python's default limit."""
REFUSED = f"an integer of more than {MAX_DIGITS:,} digits cannot be sent to a minion"
"""The message about one."""

_BOUND = 10**MAX_DIGITS


def read_integer(text: str) -> int | None:
    """Return the number of decimal digits; None for any other text, and for too many digits."""
    if not (text.isascii() and text.isdigit()) or len(text) > MAX_DIGITS:
        return None
    return int(text)


def holds_long_integer(value: Any) -> bool:
    """Say whether a value is an integer of too many digits, or holds one at any depth."""
    if isinstance(value, int):
        return not -_BOUND < value < _BOUND
    if isinstance(value, Mapping):
        return any(map(holds_long_integer, value)) or any(map(holds_long_integer, value.values()))
    if isinstance(value, list | tuple | set | frozenset):
        return any(map(holds_long_integer, value))
    return False
