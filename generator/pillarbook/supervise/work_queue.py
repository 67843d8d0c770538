"""A queue of names that several processes share; neighbours go to one process."""

import mmap
from collections.abc import Iterator, Sequence

PIECES = 256
"""The approximate number of pieces."""


class WorkQueue:
    """Names that processes take from a shared queue, each beginning at another position.

    A process takes neighbours as long as it can. If two processes take a piece at the same moment,
    both have it.

    Processes that are forked later share the queue.
    """

    def __init__(self, names: Sequence[str]) -> None:
        size = len(names) // PIECES + 1
        self._pieces = [names[start : start + size] for start in range(0, len(names), size)]
        self._taken = mmap.mmap(-1, len(self._pieces) or 1)

    def take(self, share: float = 0.0) -> Iterator[str]:
        """Yield names that no other process has taken, until none are left.

        ``share`` is the position to begin at, from 0 for the first name to 1 for the last.
        """
        count = len(self._pieces)
        first = int(share * count)
        for number in (*range(first, count), *range(first)):
            if not self._taken[number]:
                self._taken[number] = 1
                yield from self._pieces[number]

    @property
    def handed_out(self) -> int:
        """The number of names that all processes have taken so far."""
        pairs = zip(self._pieces, self._taken[:], strict=False)
        return sum(len(piece) for piece, taken in pairs if taken)

    def close(self) -> None:
        """Release the memory."""
        self._taken.close()
