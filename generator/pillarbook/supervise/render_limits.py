"""Limits of a render inside its process, and its notes for the watchdog.

A timer of processor time interrupts Python code in the main thread; the address-space limit makes
a large allocation fail. If neither stops code in C, the system ends its process at a multiple of
the time, and the watchdog starts another without that render. ``mkdocs build`` has no watchdog, so
there the whole build ends, and the last site is kept.
"""

import os
import resource
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.renderers.source_text import Line
from pillarbook.supervise.heartbeat import Heartbeat

PAGE = os.sysconf("SC_PAGE_SIZE")
CPU_FACTOR = 2.0
"""The multiple of a render's processor time at which the system ends the process."""
AGAIN_SECONDS = 0.25
"""The interval of the timer, because code may swallow the first exception."""
FULL_OVERRUNS = 2
"""The number of overruns of a file with full time. Each later render gets a quarter of the time of
the one before, so that an endless file does not take days in a large fleet."""
LEAST_PART = 0.01
"""The least part of the time that a render gets."""


class _TimeIsUp(BaseException):
    """Raised by the timer; no template can catch it."""


class Watch:
    """Makes the guards of single renders."""

    def __init__(self, limits: Limits, heartbeat: Heartbeat | None = None) -> None:
        self.limits = limits
        """The limits of a render."""
        self.heartbeat = heartbeat
        """Gets notes about renders."""
        self._statm = _open_statm()
        self._in_main_thread = threading.current_thread() is threading.main_thread()
        self._overruns: Counter[str] = Counter()
        self._is_guarding = False
        self.minion = ""
        """The minion being compiled; the caller sets it."""

    def __call__(self, shown: str) -> "_Guard":
        """Return a guard for the render of a file."""
        return _Guard(self, shown)

    def move(self, heartbeat: Heartbeat) -> None:
        """Continue in a forked process, which has its own memory and heartbeat."""
        self.close()
        self._statm = _open_statm()
        self.heartbeat = heartbeat

    def close(self) -> None:
        """Close the file with the memory of the process."""
        if self._statm is not None:
            os.close(self._statm)
            self._statm = None

    def begin(self, shown: str) -> Callable[[], None] | None:
        """Start the limits; return a function that ends them, None inside another guard.

        Raises:
            LimitExceeded: A process was lost over this render before.
        """
        if self._is_guarding:  # the limits of the outer render apply
            return None
        if self.heartbeat is not None:
            self.heartbeat.begin(shown, self.minion)
        self._is_guarding = True
        before = self._limit_memory()
        # Relative, because RLIMIT_CPU differs more and more from the process clock in a long run.
        signal.setitimer(signal.ITIMER_VIRTUAL, self.limits.seconds * CPU_FACTOR)
        previous = signal.getsignal(signal.SIGPROF)
        unraisable = sys.unraisablehook
        if self._in_main_thread:
            # Python cannot raise an exception in a callback of the garbage collector or in a
            # destructor, and prints a traceback instead; the timer fires again.
            sys.unraisablehook = lambda lost: (
                None if isinstance(lost.exc_value, _TimeIsUp) else unraisable(lost)
            )
            signal.signal(signal.SIGPROF, _stop)
            signal.setitimer(signal.ITIMER_PROF, self.seconds(shown), AGAIN_SECONDS)

        def end() -> None:
            self._is_guarding = False
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            if self._in_main_thread:
                signal.setitimer(signal.ITIMER_PROF, 0)
                signal.signal(signal.SIGPROF, previous)
                sys.unraisablehook = unraisable
            for limit, values in before:
                resource.setrlimit(limit, values)
            if self.heartbeat is not None:
                self.heartbeat.end()

        return end

    def _limit_memory(self) -> list[tuple[int, tuple[int, int]]]:
        if self._statm is None:
            return []
        used = int(os.pread(self._statm, 64, 0).split()[0]) * PAGE
        return [_lower(resource.RLIMIT_AS, used + self.limits.memory)]

    def note_overrun(self, shown: str) -> None:
        """Note that a file took all its time."""
        self._overruns[shown] += 1

    def seconds(self, shown: str) -> float:
        """Return the processor time that the render of a file may take."""
        beyond = self._overruns[shown] - FULL_OVERRUNS + 1
        return self.limits.seconds * (max(0.25**beyond, LEAST_PART) if beyond > 0 else 1)


def _open_statm() -> int | None:
    """Open the file with the memory of the process, if the system has it."""
    path = "/proc/self/statm"
    return os.open(path, os.O_RDONLY) if os.access(path, os.R_OK) else None


def _lower(limit: int, wanted: int) -> tuple[int, tuple[int, int]]:
    """Lower a limit of the process; return the limit and what it was before."""
    soft, hard = resource.getrlimit(limit)
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft == resource.RLIM_INFINITY or wanted < soft:
        resource.setrlimit(limit, (wanted, hard))
    return limit, (soft, hard)


def _stop(_signal: int, frame: FrameType | None) -> None:
    """Interrupt the render, but not the functions of this module that start and end its limits."""
    if frame is None or frame.f_code.co_filename != __file__:
        raise _TimeIsUp


class _Guard:
    """Guards one render."""

    def __init__(self, watch: Watch, shown: str) -> None:
        self._watch = watch
        self._shown = shown
        self._end: Callable[[], None] | None = None

    def __enter__(self) -> None:
        self._end = self._watch.begin(self._shown)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._end is not None:
            self._end()
        if isinstance(error, LimitExceeded) and (error.place is None or error.place[1] is None):
            error.place = _place(trace, self._shown)
        if self._end is None:
            return
        if isinstance(error, _TimeIsUp):
            self._watch.note_overrun(self._shown)
            # The declared limit, also if a later minion got less time: how many minions came before
            # depends on the number of processes.
            seconds = self._watch.limits.seconds
            message = f"it exceeds the limit of processor time of a render, {seconds:.2g} s"
            raise LimitExceeded(message, _place(trace, self._shown)) from None
        if isinstance(error, MemoryError):
            message = "it exceeds the memory limit of a render"
            raise LimitExceeded(message, _place(trace, self._shown)) from None


def _place(trace: TracebackType | None, shown: str) -> Line:
    """Return the line of the template that was running or compiling.

    Jinja evaluates constant expressions while it compiles.
    """
    running: Line | None = None
    compiling: int | None = None
    while trace is not None:
        frame = trace.tb_frame
        template: Any = frame.f_globals.get("__jinja_template__")
        if template is not None:
            name = getattr(template, "shown", None) or shown
            running = (name, template.get_corresponding_lineno(trace.tb_lineno))
        elif str(frame.f_globals.get("__name__")).startswith("jinja2."):
            compiling = getattr(frame.f_locals.get("node"), "lineno", None) or compiling
        trace = trace.tb_next
    return running or (shown, compiling)
