"""Texts are the dates that Salt's library takes them for; only some of them ask for the time."""

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from pillarbook.compile.renderers.jinja.filters.dates import has_no_clock, read_date
from pillarbook.compile.renderers.jinja.function_errors import UndeclaredClockError

FILE = Path(__file__).parent / "timelib_answers.json"
ANSWERS = json.loads(FILE.read_text(encoding="utf-8"))
"""What timelib 0.3.0, else Salt's reading of seconds, made of texts at that time; None: nothing."""
NOW = dt.datetime.fromisoformat(ANSWERS["now"])


def read(date: Any) -> str | None:
    try:
        return str(read_date(date, lambda: NOW))
    except ValueError:
        return None


def test_texts_are_the_dates_that_salt_reads() -> None:
    answers = ANSWERS["answers"]
    assert sum(date is not None for date in answers.values()) > 300
    assert {text: read(text) for text in answers} == answers


@pytest.mark.parametrize(
    "date",
    [
        "2020-01-31",
        "31 Jan 2020 12:00",
        "2020-01-31 +1 month",
        "2020-01-31 next monday",
        "@86400",
        "1040814000",
        1040814000,
        dt.datetime.fromisoformat("2020-01-31"),
    ],
)
def test_a_whole_date_needs_no_clock(date: Any) -> None:
    assert read_date(date, has_no_clock) == read_date(date, lambda: NOW)


@pytest.mark.parametrize("date", [None, "now", "12:30", "1230", "tomorrow", "5 jan", "monday"])
def test_what_is_not_said_is_asked_of_the_clock(date: Any) -> None:
    with pytest.raises(UndeclaredClockError):
        read_date(date, has_no_clock)


@pytest.mark.parametrize(
    "text", ["9999-12-31 +1 day", "999999999 years", "now" * 100_000, "1" * 5000]
)
def test_no_text_does_any_harm(text: str) -> None:
    assert read(text) is None
