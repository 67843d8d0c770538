"""Filters that print dates.

Dates relative to the current time use the declared time. For None or a number, Salt uses the time
zone of its machine, otherwise UTC; here all times are in UTC.

Source: Salt ``salt/utils/dateutils.py`` (``strftime``, ``date_cast``).
"""

import datetime as dt
from collections.abc import Callable
from typing import Any

from pillarbook.compile.renderers.jinja.function_errors import UndeclaredClockError

Now = Callable[[], dt.datetime]
"""Gives the current time."""


def date_filters(seen: Callable[[], Now]) -> dict[str, Callable[..., Any]]:
    """Return the filters that print dates, by name.

    ``seen`` returns a function for the current time of the current render.
    """

    def strftime(date: Any = None, format: str = "%Y-%m-%d") -> str:  # noqa: A002 (Salt's name)
        return read_date(date, seen()).strftime(format)

    return {"date_format": strftime, "strftime": strftime}


def has_no_clock() -> dt.datetime:
    """Raise an error, because no time is declared."""
    raise UndeclaredClockError


def read_date(date: Any, now: Now = has_no_clock) -> dt.datetime:
    """Return a date as Salt reads it, without a time zone.

    ``now`` is called only if the date depends on the current time; None is that time.
    """
    if date is None:
        return now()
    if isinstance(date, dt.datetime):
        return date
    try:
        if isinstance(date, str):
            return _read_text(date, now)
        return dt.datetime.fromtimestamp(date, dt.UTC).replace(tzinfo=None)
    except (TypeError, ValueError, OverflowError, OSError) as error:
        raise ValueError(f"Unable to parse {date}") from error


def _read_text(text: str, now: Now) -> dt.datetime:
    from pillarbook.compile.renderers.jinja.filters.date_sums import read_words  # noqa: PLC0415 (few templates have words)

    try:
        return read_words(text, now)
    except ValueError:  # no words: seconds, as a text
        seconds = int(text) if text.isdigit() else float(text)
        return dt.datetime.fromtimestamp(seconds, dt.UTC).replace(tzinfo=None)
