"""The process that looks after the one that works.

Code in C that runs away cannot be interrupted from inside its process. So the command's process
forks at its start, before there is any thread: the child does all the work, the parent only
waits. When the child is stuck in a render, or dies in one, the parent starts another child from
the same place, which takes that render for failed.
"""

import os
import signal
import sys
import time
from collections.abc import Callable

from pillarbook.book.heartbeat import Heartbeat, Render

PATIENCE = 4.0
"""How many times a render's processor time it may take by the clock; machines are busy."""
POLL_SECONDS = 0.05


def run_watched(work: Callable[[Heartbeat], int], seconds: float) -> int:
    """Run ``work`` in a child process and return its exit code.

    Args:
        work: Does everything; gets the heartbeat that its renders are to be noted in.
        seconds: Processor time that one render may take.
    """
    lost: list[Render] = []
    sys.stdout.flush()
    sys.stderr.flush()
    while True:
        heartbeat = Heartbeat(tuple(lost))
        child = os.fork()
        if child == 0:
            _work_and_leave(work, heartbeat)
        code, render = _wait(child, heartbeat, seconds * PATIENCE)
        if render is None:
            return code
        lost.append(render)


def _work_and_leave(work: Callable[[Heartbeat], int], heartbeat: Heartbeat) -> None:
    code = 1
    try:
        code = work(heartbeat)
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except KeyboardInterrupt:
        code = 130
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _wait(child: int, heartbeat: Heartbeat, patience: float) -> tuple[int, Render | None]:
    """Return the child's exit code, or the render that it was lost over."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, _: os.kill(child, received))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to the child as well
    pause = 0.001
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        going_on = heartbeat.read()
        if going_on is not None and going_on[0] > patience:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return 1, going_on[1]
        time.sleep(pause)
        pause = min(pause * 1.5, POLL_SECONDS)
    if os.WIFEXITED(status):
        return os.WEXITSTATUS(status), None
    going_on = heartbeat.read()
    if going_on is not None and os.WTERMSIG(status) not in (signal.SIGTERM, signal.SIGINT):
        return 1, going_on[1]
    return 128 + os.WTERMSIG(status), None
