"""A forked process that does a part of the work, and returns its results."""

import os
import pickle
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from pillarbook.supervise.heartbeat import Heartbeat
from pillarbook.supervise.render_limits import Watch

CHUNK = 100
"""The number of reports that a process writes at a time."""
STALL_SECONDS = 20.0
"""The longest time for one render; after that, its process is killed."""
POLL_SECONDS = 0.01
LENGTH_BYTES = 8


class Worker:
    """Another process that writes the results of ``work`` into shared memory.

    It is forked at once, so no second thread may exist. If it is lost, the reports that it has not
    written are lost, too. Its renders are noted in a heartbeat that this process reads.
    """

    def __init__(self, watch: Callable[..., Any], work: Iterator[Any]) -> None:
        known = watch.heartbeat if isinstance(watch, Watch) else None
        self._heartbeat = Heartbeat() if known is None else known.apart()
        # Memory without a name, because reports contain secrets, which must not be on disk
        # (docs/decisions/0018).
        self._memory = os.memfd_create("pillarbook")
        parent = os.getpid()
        self._process = os.fork()
        if self._process == 0:
            try:
                if isinstance(watch, Watch):
                    watch.move(self._heartbeat)
                self._run(work, parent)
            finally:
                os._exit(0)  # without the cleanup of the parent

    def _run(self, work: Iterator[Any], parent: int) -> None:
        while reports := list(islice(work, CHUNK)):
            content = pickle.dumps(reports, pickle.HIGHEST_PROTOCOL)
            left = memoryview(len(content).to_bytes(LENGTH_BYTES, "big") + content)
            while left:
                left = left[os.write(self._memory, left) :]
            # The parent was killed, so nobody reads the reports.
            if os.getppid() != parent:
                return

    def reports(self) -> Iterator[Any]:
        """Yield the reports after the process has ended or is lost."""
        self._wait()
        with os.fdopen(os.dup(self._memory), "rb") as stream:
            stream.seek(0)
            while True:
                length = int.from_bytes(stream.read(LENGTH_BYTES), "big")
                content = stream.read(length)
                # The worker was lost while it wrote; the earlier reports are complete.
                if not length or len(content) < length:
                    return
                yield from pickle.loads(content)  # noqa: S301 (this program wrote it, into memory)

    def _wait(self) -> None:
        while self._process and os.waitpid(self._process, os.WNOHANG)[0] == 0:
            current = self._heartbeat.read()
            if current is not None and current[0] > STALL_SECONDS:
                self._kill()
                return
            time.sleep(POLL_SECONDS)
        self._process = 0

    def _kill(self) -> None:
        if self._process:
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(self._process, 0)
        self._process = 0

    def close(self) -> None:
        """End the process, and release the memory."""
        self._kill()
        if self._memory >= 0:
            os.close(self._memory)
            self._memory = -1
