"""What is being rendered just now, written where the watchdog of the process can read it."""

import mmap
import struct
import time

from pillarbook.compile.renderers.errors import LimitExceeded

SIZE = 4096
HEAD = struct.Struct("dH")
MOST_LOSSES = 3
"""After so many lost processes over one file it is not rendered for anybody."""

Render = tuple[str, str]
"""A file as it is shown, and a minion."""


class LostRender(LimitExceeded):
    """A process was lost over this render before; nothing is known of what it would ask."""


class Heartbeat:
    """A shared page: since when which file is being rendered for which minion."""

    def __init__(self, lost: tuple[Render, ...] = ()) -> None:
        self._page = mmap.mmap(-1, SIZE)
        self._lost = frozenset(lost)
        files = [shown for shown, _ in lost]
        self._given_up = frozenset(shown for shown in files if files.count(shown) >= MOST_LOSSES)

    def begin(self, shown: str, minion: str) -> None:
        """Note the start of a render.

        Raises:
            LostRender: A process was lost over it before.
        """
        if (shown, minion) in self._lost or shown in self._given_up:
            raise LostRender("the process that rendered it had to be stopped", (shown, None))
        name = f"{shown}\0{minion}".encode()[: SIZE - HEAD.size]
        self._page[: HEAD.size + len(name)] = HEAD.pack(time.monotonic(), len(name)) + name

    def end(self) -> None:
        """Note that no render is going on."""
        self._page[: HEAD.size] = HEAD.pack(0.0, 0)

    def read(self) -> tuple[float, Render] | None:
        """Return for how many seconds what has been rendered, None where nothing is."""
        since, length = HEAD.unpack(self._page[: HEAD.size])
        if not since:
            return None
        name = self._page[HEAD.size : HEAD.size + length].decode(errors="replace")
        shown, _, minion = name.partition("\0")
        return time.monotonic() - since, (shown, minion)
