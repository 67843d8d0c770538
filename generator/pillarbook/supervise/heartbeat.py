"""The current render, in memory that the watchdog of the process can read."""

import mmap
import struct
import time
from hashlib import blake2b

from pillarbook.compile.renderers.render_errors import LimitExceeded

RECORD = struct.Struct("d16s16s")
# More than one, since another file may be the cause; few, since each costs a process
# (docs/decisions/0005).
MAX_LOSSES = 3
"""If a file has lost so many processes, it is not rendered for any minion."""

Render = tuple[bytes, bytes]
"""The digests of a file, and of that file with a minion."""


class LostRender(LimitExceeded):
    """A process was lost over this render before, so its questions are unknown."""


class Heartbeat:
    """A shared page with the current render and its start."""

    def __init__(self, lost: tuple[Render, ...] = ()) -> None:
        self._page = mmap.mmap(-1, mmap.PAGESIZE)
        self._lost = frozenset(render for _, render in lost)
        files = [file for file, _ in lost]
        self._given_up = frozenset(file for file in files if files.count(file) >= MAX_LOSSES)
        self.held: list[object] = []
        """Results of a run that are kept until its process ends, because to free them takes
        seconds."""

    def apart(self) -> "Heartbeat":
        """Return a heartbeat for a process to be forked, with the same lost renders."""
        other = Heartbeat()
        other._lost, other._given_up = self._lost, self._given_up
        return other

    def begin(self, shown: str, minion: str) -> None:
        """Note the start of a render.

        Raises:
            LostRender: A process was lost over it before.
        """
        file, render = _digest(shown), _digest(f"{shown}\0{minion}")
        if render in self._lost or file in self._given_up:
            raise LostRender("the process that rendered it had to be stopped", (shown, None))
        self._page[: RECORD.size] = RECORD.pack(time.monotonic(), file, render)

    def repeat(self, other: "Heartbeat") -> None:
        """Note the render of another process as one of this process."""
        self._page[: RECORD.size] = other._page[: RECORD.size]  # noqa: SLF001 (of this class)

    def end(self) -> None:
        """Note that no render is going on."""
        self._page[: RECORD.size] = bytes(RECORD.size)

    def read(self) -> tuple[float, Render] | None:
        """Return how many seconds the current render has taken, and the render; else None."""
        since, file, render = RECORD.unpack(self._page[: RECORD.size])
        return (time.monotonic() - since, (file, render)) if since else None


def _digest(text: str) -> bytes:
    """Return the digest of a name."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
