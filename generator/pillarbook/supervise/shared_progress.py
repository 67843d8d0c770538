"""The progress of several processes, which one of them shows."""

import mmap
import struct
from collections.abc import Callable
from itertools import count

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
