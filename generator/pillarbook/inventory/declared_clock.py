"""The time that templates get as the current time.

A pillar that depends on the clock differs at each compile. So the time is declared: ``--clock``
overrides ``clock:`` in the configuration, which overrides SOURCE_DATE_EPOCH. It is always in UTC,
for any time zone of the machine, so that the same tree gives the same pillar everywhere.

Source: https://reproducible-builds.org/specs/source-date-epoch/
"""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pillarbook.diagnostics import PillarbookError

VARIABLE = "SOURCE_DATE_EPOCH"
EXAMPLE = "2026-01-31T12:00:00"
WANTED = f"a time such as {EXAMPLE}, in UTC or with an offset: {EXAMPLE}+01:00"


@dataclass(frozen=True, slots=True)
class Clock:
    """A declared time."""

    time: dt.datetime
    """The time in UTC, without a time zone of its own."""
    source: str
    """``--clock``, ``clock`` in the configuration, or SOURCE_DATE_EPOCH."""

    def __str__(self) -> str:
        return f"{self.time.isoformat()} UTC"


class EpochError(PillarbookError):
    """SOURCE_DATE_EPOCH is not a number of seconds."""

    def __init__(self) -> None:
        super().__init__(f"{VARIABLE} is not a number of seconds since 1970")


def parse_time(value: Any) -> dt.datetime | None:
    """Return a time in ISO 8601, as text or as YAML loads it, in UTC without a zone; else None."""
    if isinstance(value, str):
        try:
            value = dt.datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if not isinstance(value, dt.datetime):
        is_day = isinstance(value, dt.date)
        return dt.datetime(value.year, value.month, value.day) if is_day else None  # noqa: DTZ001 (UTC)
    if value.tzinfo is None:
        return value
    try:
        return value.astimezone(dt.UTC).replace(tzinfo=None)
    except OverflowError:  # the first and the last day that Python supports
        return None


def read_epoch(environment: Mapping[str, str]) -> Clock | None:
    """Return the clock that SOURCE_DATE_EPOCH declares; None if it is not set.

    Raises:
        EpochError: It is not a number.
    """
    text = environment.get(VARIABLE)
    if not text:
        return None
    if not (text.isascii() and text.isdecimal()):
        raise EpochError
    try:
        time = dt.datetime.fromtimestamp(int(text), dt.UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise EpochError from error
    return Clock(time.replace(tzinfo=None), VARIABLE)


def describe_clocks(clocks: Iterable[Clock | None]) -> str:
    """Return a note on the time of a comparison in which something reads the clock."""
    times = dict.fromkeys(f"{clock} ({clock.source})" for clock in clocks if clock is not None)
    if len(times) == 1:
        return f"values that depend on the clock use the time {next(iter(times))}"
    return f"values that depend on the clock use two times: {', '.join(times)}"
