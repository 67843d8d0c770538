"""Stops what takes more than its share, and tells the watchdog what is going on.

A timer of processor time interrupts Python code in the main thread; the address-space limit makes
a runaway allocation fail. What neither stops is left to the watchdog, which reads the heartbeat.
"""

import os
import resource
import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from pillarbook.book.heartbeat import Heartbeat
from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.errors import LimitExceeded
from pillarbook.compile.renderers.source_text import Line

PAGE = os.sysconf("SC_PAGE_SIZE")


class _TimeIsUp(BaseException):
    """Raised by the timer; no template can catch it."""


class Watch:
    """Makes the guards of single renders, and knows which renders were lost before."""

    def __init__(self, limits: Limits, heartbeat: Heartbeat | None = None) -> None:
        self._limits = limits
        self._heartbeat = heartbeat
        self._statm = os.open("/proc/self/statm", os.O_RDONLY) if _has_statm() else None
        self._in_main_thread = threading.current_thread() is threading.main_thread()
        self.minion = ""
        """The minion being compiled; set by whoever compiles it."""

    def __call__(self, shown: str) -> "_Guard":
        """Return a guard for the render of a file."""
        return _Guard(self, shown)

    def begin(self, shown: str) -> Callable[[], None]:
        """Start guarding; return what ends it.

        Raises:
            LimitExceeded: A process was lost over this render before.
        """
        if self._heartbeat is not None:
            self._heartbeat.begin(shown, self.minion)
        limits = self._lower_memory()
        if self._in_main_thread:
            previous = signal.signal(signal.SIGPROF, _stop)
            signal.setitimer(signal.ITIMER_PROF, self._limits.seconds)

        def end() -> None:
            if self._in_main_thread:
                signal.setitimer(signal.ITIMER_PROF, 0)
                signal.signal(signal.SIGPROF, previous)
            if limits is not None:
                resource.setrlimit(resource.RLIMIT_AS, limits)
            if self._heartbeat is not None:
                self._heartbeat.end()

        return end

    def _lower_memory(self) -> tuple[int, int] | None:
        if self._statm is None:
            return None
        used = int(os.pread(self._statm, 64, 0).split()[0]) * PAGE
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = used + self._limits.memory
        if soft != resource.RLIM_INFINITY:
            wanted = min(wanted, soft)
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
        return soft, hard

    @property
    def seconds(self) -> float:
        """The processor time one render may take."""
        return self._limits.seconds


def _has_statm() -> bool:
    return os.access("/proc/self/statm", os.R_OK)


def _stop(_signal: int, _frame: FrameType | None) -> None:
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
        if isinstance(error, _TimeIsUp):
            seconds = f"{self._watch.seconds:g}"
            raise LimitExceeded(
                f"it takes more than {seconds} s of processor time", _place(trace, self._shown)
            ) from None
        if isinstance(error, MemoryError):
            raise LimitExceeded(
                "it takes more memory than a render may have", _place(trace, self._shown)
            ) from None


def _place(trace: TracebackType | None, shown: str) -> Line:
    """Return the line of the template that was running."""
    place: Line = (shown, None)
    while trace is not None:
        template: Any = trace.tb_frame.f_globals.get("__jinja_template__")
        if template is not None:
            name = getattr(template, "shown", None) or shown
            place = (name, template.get_corresponding_lineno(trace.tb_lineno))
        trace = trace.tb_next
    return place
