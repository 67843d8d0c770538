"""How long the steps of a command take, and how much memory: ``--timing``."""

import json
import resource
import time

SCHEMA = "pillarbook.timing/1"
STEPS = ("reading", "compiling", "writing")
"""The steps that the text has; what comes before them is loading the program."""


class Timing:
    """Takes the times at which the steps of one command end.

    ``form`` is ``text`` or ``json``; None to print nothing.
    """

    def __init__(self, form: str | None) -> None:
        self.form = form
        self._started = self._last = time.perf_counter()
        self._seconds: dict[str, float] = {}
        self._is_told = False

    def mark(self, step: str, at: float | None = None) -> None:
        """Note the end of a step.

        ``step`` is ``loading`` or one of ``STEPS``; one that ends twice is counted together.
        """
        now = time.perf_counter() if at is None else at
        self._is_told = False
        self._seconds[step] = self._seconds.get(step, 0.0) + now - self._last
        self._last = now

    def resume(self) -> None:
        """Begin again, if the last build is described: nobody counts the time since then."""
        if self._is_told:
            self._started = self._last = time.perf_counter()

    def describe(self) -> str:
        """Return the lines to print, at the end of the command or of one of its builds.

        Empty without the option, and if nothing was done since they were asked for.
        """
        if self.form is None or self._is_told:
            return ""
        self.mark("writing")
        seconds, self._seconds, self._is_told = self._seconds, {}, True
        if self.form == "text":
            return "".join(f"{step} {seconds.get(step, 0.0):.2f} s\n" for step in STEPS)
        own, workers = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        told = {
            "schema": SCHEMA,
            "seconds": round(self._last - self._started, 4),
            "steps": {step: round(seconds.get(step, 0.0), 4) for step in ("loading", *STEPS)},
            "processor_seconds": round(
                own.ru_utime + own.ru_stime + workers.ru_utime + workers.ru_stime, 4
            ),
            # The system counts in units of 1,024 bytes.
            "peak_memory": own.ru_maxrss * 1024,
            "peak_memory_of_a_worker": workers.ru_maxrss * 1024,
        }
        return f"{json.dumps(told)}\n"
