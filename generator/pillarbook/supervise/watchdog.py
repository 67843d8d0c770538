"""The process that looks after the one that works.

Code in C that runs away cannot be interrupted from inside its process, and a crash takes the
process with it. So the command's process forks at its start, before there is any thread: the child
does all the work, the parent only waits. When the child is stuck in a render, or dies in one, the
parent starts another child from the same place, which takes that render for failed.

``mkdocs build`` and ``mkdocs serve`` do not run under it: a plugin cannot fork the program that
loaded it. There the limits inside the process hold (see ``supervise/watch.py``), and what they
cannot stop ends the whole command, by the system's own limit of processor time. Who builds the
trees of strangers uses ``pillarbook build``, which refuses their hooks and plugins, too.
"""

import fcntl
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from pillarbook.compile.renderers.gpg_home import remove_abandoned_homes
from pillarbook.supervise.heartbeat import Heartbeat, Render

PATIENCE = 60.0
"""How many times a render's processor time it may take by the clock: it may wait for gpg."""
GRACE_SECONDS = 20.0
"""How long the child may clean up after it was told to stop."""
GRACE_IN_RENDER_SECONDS = 2.0
"""How long it may clean up in a render, where it may be stuck; the parent cleans up instead."""
POLL_SECONDS = 0.05
# Each costs up to 20 seconds: a tree of many such files would keep a CI job until it is killed,
# without a word.
MAX_LOST = 30
"""After so many lost children the tree is given up."""
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run_watched(work: Callable[[Heartbeat], int], seconds: float) -> int:
    """Run ``work`` in a child process and return its exit code.

    Args:
        work: Does everything; gets the heartbeat that its renders are to be noted in.
        seconds: Processor time that one render may take.
    """
    lost: list[Render] = []
    lifeline = os.pipe()
    parent = _Parent()
    # What waits in the buffers would else be written twice, by parent and child.
    sys.stdout.flush()
    sys.stderr.flush()
    while len(lost) < MAX_LOST:
        heartbeat = Heartbeat(tuple(lost))
        # From the same place each time: the parent has done nothing yet, so a new child begins as
        # the first one did (docs/decisions/0005).
        parent.child = os.fork()
        if parent.child == 0:
            _work_and_leave(work, heartbeat, lifeline)
        code, render = parent.wait(heartbeat, seconds * PATIENCE)
        if render is None:
            return code
        lost.append(render)
    sys.stderr.write(f"pillarbook: given up after {MAX_LOST} renders ended their process\n")
    return 1


class _Parent:
    """Waits for one child after the other, and hands on to it what the parent is told."""

    def __init__(self) -> None:
        self.child = 0
        self._told: int | None = None
        self._told_at = 0.0
        for number in STOPPING:
            signal.signal(number, self._hand_on)

    def _hand_on(self, number: int, _frame: FrameType | None) -> None:
        if self._told is None:
            self._told, self._told_at = number, time.monotonic()
        if self.child:
            with suppress(ProcessLookupError):
                os.kill(self.child, number)

    def wait(self, heartbeat: Heartbeat, patience: float) -> tuple[int, Render | None]:
        """Return the child's exit code, or the render that it was lost over."""
        with _open_process(self.child) as process:
            while True:
                done, status = os.waitpid(self.child, os.WNOHANG)
                if done:
                    break
                if self._is_stuck(heartbeat, patience):
                    os.kill(self.child, signal.SIGKILL)
                select.select(process, (), (), POLL_SECONDS)
        if os.WIFEXITED(status):
            return os.WEXITSTATUS(status), None
        # The child was killed and could not remove its copy of the keys.
        remove_abandoned_homes(seconds=0)
        return self._judge(os.WTERMSIG(status), heartbeat)

    def _is_stuck(self, heartbeat: Heartbeat, patience: float) -> bool:
        going_on = heartbeat.read()
        if self._told is not None:
            grace = GRACE_SECONDS if going_on is None else GRACE_IN_RENDER_SECONDS
            return time.monotonic() - self._told_at > grace
        return going_on is not None and going_on[0] > patience

    def _judge(self, number: int, heartbeat: Heartbeat) -> tuple[int, Render | None]:
        if self._told is not None:
            return 128 + self._told, None
        going_on = heartbeat.read()
        if going_on is not None and number not in STOPPING:
            return 1, going_on[1]
        name = signal.Signals(number).name
        sys.stderr.write(f"pillarbook: the working process was ended by {name}\n")
        return 128 + number, None


@contextmanager
def _open_process(number: int) -> Iterator[Sequence[int]]:
    """Open a descriptor that signals the end of a process, if the system has such."""
    process = None
    with suppress(AttributeError, OSError):
        process = os.pidfd_open(number)
    try:
        yield () if process is None else (process,)
    finally:
        if process is not None:
            os.close(process)


def _work_and_leave(
    work: Callable[[Heartbeat], int], heartbeat: Heartbeat, lifeline: tuple[int, int]
) -> NoReturn:
    code = 1
    try:
        _follow_orders(lifeline)
        code = work(heartbeat)
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    finally:
        with suppress(OSError):
            sys.stdout.flush()
        with suppress(OSError):
            sys.stderr.flush()
        # Not `sys.exit`: handlers of the parent's program were registered before the fork, and are
        # not the child's to run.
        os._exit(code)


def _follow_orders(lifeline: tuple[int, int]) -> None:
    """Clean up and leave when told to, and when the parent is gone; leave no memory on disk."""
    for number in (*STOPPING, signal.SIGIO):
        signal.signal(number, _leave)
    # The system signals when no process holds the other end of the pipe.
    reading, writing = lifeline
    os.close(writing)
    fcntl.fcntl(reading, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(reading, fcntl.F_SETFL, fcntl.fcntl(reading, fcntl.F_GETFL) | os.O_ASYNC)
    # A core file would hold the clear pillar of the fleet.
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    for other in (*STOPPING, signal.SIGIO):
        signal.signal(other, signal.SIG_IGN)
    raise SystemExit(128 + number)
