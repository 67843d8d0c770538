"""The job of a process that another one starts: it ends if that one ends.

Standard input has the job in one line, and stays open. When its other end is closed, because the
other process needs no result any more or was killed, this process gets SIGTERM and cleans up.
"""

import fcntl
import json
import os
import select
import signal
import sys
from types import FrameType
from typing import Any, NoReturn


def read_job() -> Any:
    """Return the job; from now on this process ends when standard input is closed."""
    signal.signal(signal.SIGTERM, _leave)
    job = json.loads(sys.stdin.buffer.readline() or "null")
    signal.signal(signal.SIGIO, _end_if_closed)
    fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
    _end_if_closed()  # what was before gives no signal
    return job


def _end_if_closed(_number: int = 0, _frame: FrameType | None = None) -> None:
    poll = select.poll()
    poll.register(0, 0)  # reports a closed end whatever it is asked for
    if poll.poll(0):
        os.kill(os.getpid(), signal.SIGTERM)


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit(128 + number)
