"""What forked processes share: a queue of the work, and the progress that one of them shows."""

import mmap
import struct
from collections.abc import Callable, Iterator, Sequence
from itertools import count

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


NUMBER = struct.Struct("Q")


class SharedProgress:
    """Counts the steps of processes that are forked later."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        # Each process writes its own number, so no lock is needed.
        self._page = mmap.mmap(-1, NUMBER.size * processes)

    def stepper(self, rank: int, show: Callable[[], None]) -> Callable[[], None]:
        """Return a function that a process calls after each step.

        The first process shows the steps of all; ``show`` shows one.
        """
        steps = count(1)
        shown = 0

        def step() -> None:
            nonlocal shown
            NUMBER.pack_into(self._page, NUMBER.size * rank, next(steps))
            if rank:
                return
            done = sum(self._read(number) for number in range(self._processes))
            for _ in range(done - shown):
                show()
            shown = done

        return step

    def _read(self, rank: int) -> int:
        number: int = NUMBER.unpack_from(self._page, NUMBER.size * rank)[0]
        return number
