"""Dates, printed.

Salt reads almost anything as a date, words like ``now`` and ``tomorrow`` among it. Here only what
names a whole date is read, so that the same tree gives the same pillar tomorrow; times are UTC.

Source: Salt ``salt/utils/dateutils.py`` (``strftime``, ``date_cast``).
"""

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

_ZONE = re.compile(r"(?<=\d)\s*(Z|UTC|GMT)$|(?<=[:.]\d\d)\d*\s*[+-]\d\d:?\d\d$")
_FRACTION = re.compile(r"(:\d\d)[.,]\d+$")
_ORDINAL = re.compile(r"(?<=\d)(st|nd|rd|th)\b")
_DAY_NUMBER = re.compile(r"\d{8}(T|$)")
_CLOCK = re.compile(r"([01]\d|2[0-4])[0-5]\d([0-5]\d(\d{4})?)?$")
_SECONDS = re.compile(r"@?\d{3,}(\.\d+)?$|@?\d{1,2}$")
_WEEKDAY = re.compile(r"^(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?,?\s+", re.IGNORECASE)
_DATES = (
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%m/%d/%Y",
    "%d.%m.%Y",
    "%d-%m-%Y",
    "%d %B %Y",
    "%d %b %Y",
    "%B %d, %Y",
    "%b %d, %Y",
    "%B %d %Y",
    "%b %d %Y",
    "%d-%b-%Y",
    "%Y-%m",
)
_FROM_TODAY = re.compile(
    r"\s*(now|today|midnight|noon|tomorrow|yesterday|next|last|this|first|[+-]\s*\d+)\b|.*\bago\s*$",
    re.IGNORECASE,
)
_TIMES = ("", " %H:%M:%S", " %H:%M", "T%H:%M:%S", "T%H:%M", "T%H%M%S", " %I%p", " %I:%M%p")


class DayOfRenderError(ValueError):
    """A date that counts from the day on which it is read."""


def strftime(date: Any = None, format: str = "%Y-%m-%d") -> str:  # noqa: A002 (Salt's name)
    """Return a date in a format.

    Args:
        date: A date as text, or seconds since 1970 as a number or text.
        format: As Python's ``strftime`` takes it.

    Raises:
        ValueError: The date cannot be read.
        DayOfRenderError: It depends on the day it is read.
    """
    return read_date(date).strftime(format)


def read_date(date: Any) -> dt.datetime:
    """Return a date as Salt reads it, without a time zone; zones in a text are passed over.

    Raises:
        ValueError: It cannot be read.
        DayOfRenderError: It depends on the day it is read.
    """
    if date is None:
        raise DayOfRenderError("Unable to parse None")
    if isinstance(date, dt.datetime):
        return date
    if isinstance(date, str):
        found = _read_text(date.strip())
        if found is not None:
            return found
        if _CLOCK.match(date) or _FROM_TODAY.match(date):  # to Salt, 1230 is a time of today
            raise DayOfRenderError(f"Unable to parse {date}")
        if not _SECONDS.match(date):
            raise ValueError(f"Unable to parse {date}")
        date = date.removeprefix("@")
    try:
        seconds = float(date)
        return dt.datetime.fromtimestamp(seconds, dt.UTC).replace(tzinfo=None)
    except (TypeError, ValueError, OverflowError, OSError) as error:
        raise ValueError(f"Unable to parse {date}") from error


def _read_text(text: str) -> dt.datetime | None:
    if _DAY_NUMBER.match(text):
        text = f"{text[:4]}-{text[4:6]}-{text[6:]}"
    text = _FRACTION.sub(r"\1", _ZONE.sub("", text))
    text = _ORDINAL.sub("", _WEEKDAY.sub("", text))
    for date in _DATES:
        for time in _TIMES:
            try:
                return dt.datetime.strptime(text, date + time)  # noqa: DTZ007 (no zone)
            except ValueError:
                continue
    return None


FILTERS: dict[str, Callable[..., Any]] = {"date_format": strftime, "strftime": strftime}
