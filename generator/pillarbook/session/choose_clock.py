"""Choose the current time that templates see."""

import os
from collections.abc import Iterable

from pillarbook.compile.remarks import READS_CLOCK
from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.declared_clock import Clock, read_epoch
from pillarbook.inventory.settings import Settings
from pillarbook.session.run_options import RunOptions


def choose_clock(settings: Settings, options: RunOptions) -> Clock | None:
    """Return the declared time: the run's own, the configuration's, SOURCE_DATE_EPOCH's, or None.

    Raises:
        EpochError: SOURCE_DATE_EPOCH is used, and is no number.
    """
    if options.clock is not None:
        return options.clock
    if settings.clock is not None:
        return Clock(settings.clock, "`clock` in the configuration")
    return read_epoch(os.environ)


def reads_clock(heard: Iterable[Diagnostic]) -> bool:
    """Say whether a diagnostic reports a read of the clock."""
    return any(one.code == READS_CLOCK for one in heard)


def describe_clocks(clocks: Iterable[Clock | None]) -> str:
    """Return a note on the time of a comparison in which something reads the clock."""
    times = dict.fromkeys(f"{clock} ({clock.source})" for clock in clocks if clock is not None)
    if len(times) == 1:
        return f"values that depend on the clock use the time {next(iter(times))}"
    return f"values that depend on the clock use two times: {', '.join(times)}"
