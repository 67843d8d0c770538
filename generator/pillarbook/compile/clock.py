"""The current time, as filters and functions of templates are told it."""

import datetime as dt
from collections.abc import Callable

from pillarbook.compile.renderers.jinja.function_errors import UndeclaredClockError
from pillarbook.inventory.clock import Clock

READS_CLOCK = "reads-clock"
"""The rule about templates that ask for the current time."""


def read_clock(clock: Clock | None, remark: Callable[[str], None]) -> dt.datetime:
    """Return the time that is declared, and note that it was asked for.

    Args:
        clock: The declared time; None for none.
        remark: Is told the rule that something is to be said under.

    Raises:
        UndeclaredClockError: None is declared.
    """
    if clock is None:
        raise UndeclaredClockError
    remark(READS_CLOCK)
    return clock.time
