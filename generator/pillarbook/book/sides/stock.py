"""Work that several processes take piece by piece, so that all are done at the same time."""

import os
from collections.abc import Iterator, Sequence

MOST_PIECES = 250
"""Pieces; the number of each is one byte."""


class Stock:
    """Names that are handed out once, to whichever process asks next.

    Args:
        names: What there is to hand out. Processes that are forked later share it.
    """

    def __init__(self, names: Sequence[str]) -> None:
        size = len(names) // MOST_PIECES + 1
        self._pieces = [names[start : start + size] for start in range(0, len(names), size)]
        self._next, numbers = os.pipe()  # a byte is read by one process only
        os.write(numbers, bytes(range(len(self._pieces))))
        os.close(numbers)

    def take(self) -> Iterator[str]:
        """Yield names that no other process has, until there are none left."""
        while number := os.read(self._next, 1):
            yield from self._pieces[number[0]]

    def close(self) -> None:
        """Let go of what is left."""
        if self._next >= 0:
            os.close(self._next)
            self._next = -1
