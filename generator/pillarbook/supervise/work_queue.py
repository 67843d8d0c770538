"""Names that several processes take from one queue, those of one kind together."""

import mmap
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

PIECES = 256
"""About so many pieces there are."""
_NUMBER = re.compile(r"\d+")
"""The part in which the names of minions of one kind differ."""


def sort_by_kind(names: Iterable[str]) -> list[str]:
    """Return names in an order in which those of one kind, which are named alike, stand together.

    What is remembered of one of them serves the others.
    """
    return sorted(names, key=partial(_NUMBER.sub, ""))


class WorkQueue:
    """Names that are handed out to processes, each from another place on.

    What lies next to each other goes to one process as far as that is possible. Should two of them
    reach for a piece in the same moment, both have it.

    Processes that are forked later share it.
    """

    def __init__(self, names: Sequence[str]) -> None:
        size = len(names) // PIECES + 1
        self._pieces = [names[start : start + size] for start in range(0, len(names), size)]
        self._taken = mmap.mmap(-1, len(self._pieces) or 1)

    def take(self, share: float = 0.0) -> Iterator[str]:
        """Yield names that no other process has, until there are none left.

        ``share`` is where to begin, from 0 for the first name to 1 for the last.
        """
        count = len(self._pieces)
        first = int(share * count)
        for number in (*range(first, count), *range(first)):
            if not self._taken[number]:
                self._taken[number] = 1
                yield from self._pieces[number]

    @property
    def handed_out(self) -> int:
        """How many names all processes have taken so far."""
        pairs = zip(self._pieces, self._taken[:], strict=False)
        return sum(len(piece) for piece, taken in pairs if taken)

    def close(self) -> None:
        """Let go of what is left."""
        self._taken.close()
