"""Stops what takes more than its share, and tells the watchdog what is going on.

A timer of processor time interrupts Python code in the main thread; the address-space limit makes
a runaway allocation fail. Code in C that heeds neither is ended by the system, together with its
process, at a multiple of the time: the watchdog starts another that goes round it. ``mkdocs build``
has no watchdog, so there the whole build ends, and the last site stands.
"""

import os
import resource
import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.renderers.source_text import Line
from pillarbook.supervise.heartbeat import Heartbeat

PAGE = os.sysconf("SC_PAGE_SIZE")
PATIENCE = 2.0
"""How many times its processor time a render may take before the system ends the process."""
AGAIN_SECONDS = 0.25
"""The timer goes off again, should the first time be lost in code that swallows exceptions."""
FULL_OVERRUNS = 2
"""So often a file may take all of its time in vain; then each time a quarter of the time before,
so that a file that never ends for anybody does not keep a large fleet waiting for days."""
LEAST_PART = 0.01
"""The part of the time that is left in the end."""


class _TimeIsUp(BaseException):
    """Raised by the timer; no template can catch it."""


class Watch:
    """Makes the guards of single renders, and knows which renders were lost before."""

    def __init__(self, limits: Limits, heartbeat: Heartbeat | None = None) -> None:
        self._limits = limits
        self._heartbeat = heartbeat
        self._statm = os.open("/proc/self/statm", os.O_RDONLY) if _has_statm() else None
        self._in_main_thread = threading.current_thread() is threading.main_thread()
        self._overruns: dict[str, int] = {}
        self._is_guarding = False
        self.minion = ""
        """The minion being compiled; set by whoever compiles it."""

    def __call__(self, shown: str) -> "_Guard":
        """Return a guard for the render of a file."""
        return _Guard(self, shown)

    @property
    def heartbeat(self) -> Heartbeat | None:
        """Where renders are noted."""
        return self._heartbeat

    def move(self, heartbeat: Heartbeat) -> None:
        """Go on in a forked process, which has memory and a heartbeat of its own."""
        self.close()
        self._statm = os.open("/proc/self/statm", os.O_RDONLY) if _has_statm() else None
        self._heartbeat = heartbeat

    def close(self) -> None:
        """Let go of what was opened."""
        if self._statm is not None:
            os.close(self._statm)
            self._statm = None

    def begin(self, shown: str) -> Callable[[], None]:
        """Start guarding; return what ends it.

        Raises:
            LimitExceeded: A process was lost over this render before.
        """
        if self._is_guarding:  # the outer guard holds for what is inside
            return _do_nothing
        if self._heartbeat is not None:
            self._heartbeat.begin(shown, self.minion)
        self._is_guarding = True
        before = self._limit_memory()
        # Relative, as the system's count of a long run (RLIMIT_CPU) strays far from the clock's.
        signal.setitimer(signal.ITIMER_VIRTUAL, self._limits.seconds * PATIENCE)
        previous = signal.getsignal(signal.SIGPROF)
        if self._in_main_thread:
            signal.signal(signal.SIGPROF, _stop)
            signal.setitimer(signal.ITIMER_PROF, self.seconds(shown), AGAIN_SECONDS)

        def end() -> None:
            self._is_guarding = False
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            if self._in_main_thread:
                signal.setitimer(signal.ITIMER_PROF, 0)
                signal.signal(signal.SIGPROF, previous)
            for limit, values in before:
                resource.setrlimit(limit, values)
            if self._heartbeat is not None:
                self._heartbeat.end()

        return end

    def _limit_memory(self) -> list[tuple[int, tuple[int, int]]]:
        if self._statm is None:
            return []
        used = int(os.pread(self._statm, 64, 0).split()[0]) * PAGE
        return [_lower(resource.RLIMIT_AS, used + self._limits.memory)]

    def note_overrun(self, shown: str) -> None:
        """Note that a file took all of its time."""
        self._overruns[shown] = self._overruns.get(shown, 0) + 1

    def seconds(self, shown: str) -> float:
        """Return the processor time that the render of a file may take."""
        beyond = self._overruns.get(shown, 0) - FULL_OVERRUNS + 1
        return self._limits.seconds * (max(0.25**beyond, LEAST_PART) if beyond > 0 else 1)


def _do_nothing() -> None:
    """End what was not begun."""


def _has_statm() -> bool:
    return os.access("/proc/self/statm", os.R_OK)


def _lower(limit: int, wanted: int) -> tuple[int, tuple[int, int]]:
    """Lower a limit of the process; return the limit and what it was before."""
    soft, hard = resource.getrlimit(limit)
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft == resource.RLIM_INFINITY or wanted < soft:
        resource.setrlimit(limit, (wanted, hard))
    return limit, (soft, hard)


def _stop(_signal: int, frame: FrameType | None) -> None:
    """Interrupt the render; what starts and ends its guard is left to finish."""
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
        if self._end is _do_nothing:
            return
        if isinstance(error, _TimeIsUp):
            seconds = self._watch.seconds(self._shown)
            self._watch.note_overrun(self._shown)
            raise LimitExceeded(
                f"it takes more than {seconds:.2g} s of processor time", _place(trace, self._shown)
            ) from None
        if isinstance(error, MemoryError):
            raise LimitExceeded(
                "it takes more memory than a render may have", _place(trace, self._shown)
            ) from None


def _place(trace: TracebackType | None, shown: str) -> Line:
    """Return the line of the template that was running, or that was being compiled.

    Jinja computes what is constant in a template while it compiles it.
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
