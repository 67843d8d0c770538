"""The parent process that watches the process that works.

An endless loop in C cannot be interrupted from inside its process, and a crash ends the process. So
the command forks at its start, before any thread exists: the child does all the work, the parent
only waits. If the child hangs or dies in a render, the parent starts another child from the same
point, and that render fails at once.

``mkdocs build`` and ``mkdocs serve`` have no such parent, because a plugin cannot fork the program
that loaded it. There the limits inside the process apply (``supervise/render_limits.py``); if they
fail, the system's limit of processor time ends the whole command. For untrusted trees use
``pillarbook build``, which also refuses their hooks and plugins.
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
from functools import partial
from types import FrameType
from typing import NoReturn

from pillarbook.compile.limits import Limits
from pillarbook.supervise.heartbeat import Heartbeat, Render

CLOCK_FACTOR = 60.0
"""The clock time of a render, as a multiple of its processor time, because it may wait for gpg."""
GRACE_SECONDS = 20.0
"""The time for the child to clean up after a signal to stop."""
GRACE_IN_RENDER_SECONDS = 2.0
"""The same during a render, which may hang; then the parent cleans up."""
POLL_SECONDS = 0.05
# Each may take minutes: with many such files, a CI job would be killed without a message.
MAX_LOST = 30
"""The most lost children; after that, the command fails."""
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run_watched(work: Callable[[Heartbeat], int]) -> int:
    """Run ``work`` in a child process and return its exit code.

    ``work`` notes its renders in the heartbeat; each has the time of the usual limits.
    """
    lost: list[Render] = []
    lifeline = os.pipe()
    parent = _Parent()
    # Otherwise parent and child would both write the content of the buffers.
    sys.stdout.flush()
    sys.stderr.flush()
    while len(lost) < MAX_LOST:
        heartbeat = Heartbeat(tuple(lost))
        # The parent has done nothing yet, so each child begins in the same state
        # (docs/decisions/0005).
        parent.child = os.fork()
        if parent.child == 0:
            _work_and_leave(work, heartbeat, lifeline)
        code, render = parent.wait(heartbeat, Limits().seconds * CLOCK_FACTOR)
        if render is None:
            return code
        lost.append(render)
    sys.stderr.write(f"pillarbook: stopped, because {MAX_LOST} renders ended their process\n")
    return 1


class _Parent:
    """Waits for one child after another, and forwards signals to it."""

    def __init__(self) -> None:
        self.child = 0
        self._stopped_by: int | None = None
        self._stopped_at = 0.0
        for number in STOPPING:
            signal.signal(number, self._forward)

    def _forward(self, number: int, _frame: FrameType | None) -> None:
        if self._stopped_by is None:
            self._stopped_by, self._stopped_at = number, time.monotonic()
        if self.child:
            with suppress(ProcessLookupError):
                os.kill(self.child, number)

    def wait(self, heartbeat: Heartbeat, patience: float) -> tuple[int, Render | None]:
        """Return the child's exit code, and the render over which it was lost, if any."""
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
        from pillarbook.compile.renderers.gpg_key_copy import remove_home  # noqa: PLC0415 (rare)
        from pillarbook.roots.private_folder import remove_abandoned  # noqa: PLC0415 (rare)

        # The child was killed and could not remove its private folders.
        remove_abandoned(remove_home, seconds=0)
        return self._judge(os.WTERMSIG(status), heartbeat)

    def _is_stuck(self, heartbeat: Heartbeat, patience: float) -> bool:
        current = heartbeat.read()
        if self._stopped_by is not None:
            grace = GRACE_SECONDS if current is None else GRACE_IN_RENDER_SECONDS
            return time.monotonic() - self._stopped_at > grace
        return current is not None and current[0] > patience

    def _judge(self, number: int, heartbeat: Heartbeat) -> tuple[int, Render | None]:
        if self._stopped_by is not None:
            return 128 + self._stopped_by, None
        current = heartbeat.read()
        if current is not None and number not in STOPPING:
            return 1, current[1]
        name = signal.Signals(number).name
        sys.stderr.write(f"pillarbook: the working process was ended by {name}\n")
        return 128 + number, None


@contextmanager
def _open_process(number: int) -> Iterator[Sequence[int]]:
    """Open a descriptor that signals the end of a process, if the system supports it."""
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
        _leave_with_parent(lifeline)
        code = work(heartbeat)
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError):
                stream.flush()
        # Not `sys.exit`, because the parent's program registered exit handlers before the fork.
        os._exit(code)


def _leave_with_parent(lifeline: tuple[int, int]) -> None:
    """Clean up and exit on a signal, or if the parent ends; write no core file."""
    for number in (*STOPPING, signal.SIGIO):
        signal.signal(number, _leave)
    # The pipe signals when no process holds its other end.
    reading, writing = lifeline
    os.close(writing)
    fcntl.fcntl(reading, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(reading, fcntl.F_SETFL, fcntl.fcntl(reading, fcntl.F_GETFL) | os.O_ASYNC)
    # A core file would contain the clear pillar of the fleet.
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    for other in (*STOPPING, signal.SIGIO):
        signal.signal(other, signal.SIG_IGN)
    code = 128 + number
    sys.unraisablehook = partial(_leave_later, code, sys.unraisablehook)
    _raise_exit(code)


def _raise_exit(code: int, *_: object) -> NoReturn:
    raise SystemExit(code)


def _leave_later(
    code: int,
    report: "Callable[[sys.UnraisableHookArgs], object]",
    lost: "sys.UnraisableHookArgs",
) -> None:
    """Exit a moment later if a destructor or the garbage collector has lost the exit."""
    if lost.exc_type is SystemExit:
        signal.signal(signal.SIGALRM, partial(_raise_exit, code))
        signal.setitimer(signal.ITIMER_REAL, POLL_SECONDS)
    else:
        report(lost)
