"""Times as people write them for revisions: ``yesterday``, ``2 days ago``, ``2026-01-31``.

Source: git's manual, "Date formats" and ``git rev-list --since``. Only the common formats of git
are supported.
"""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

SECONDS: Mapping[str, int] = MappingProxyType(
    {
        "second": 1,
        "minute": 60,
        "hour": 3_600,
        "day": 86_400,
        "week": 7 * 86_400,
        "month": 30 * 86_400,
        "year": 365 * 86_400,
    }
)
FORMS = "'yesterday', '24 hours ago', '2026-01-31' or '2026-01-31T12:00:00+01:00'"
"""The formats that an error proposes."""
_AGO = re.compile(rf"(\d{{1,9}}|an?)[ .]({'|'.join(SECONDS)})s?(?:[ .]ago)?", re.IGNORECASE)


def read_time(text: str, now: float) -> float | None:
    """Return the time in a text, in seconds since 1970; None if it is no time."""
    text = text.strip()
    if text.lower() in ("now", "yesterday"):
        return now - (SECONDS["day"] if text.lower() == "yesterday" else 0)
    ago = _AGO.fullmatch(text)
    if ago:
        number = 1 if ago[1].lower().startswith("a") else int(ago[1])
        return now - number * SECONDS[ago[2].lower()]
    try:
        return _read_date(text).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _read_date(text: str) -> datetime:
    """Return a date, in the machine's time zone if it names none, as git does.

    A date without a time means its last second.

    Raises:
        ValueError: It is not a date.
    """
    found = datetime.fromisoformat(text)
    is_day = re.fullmatch(r"\d{4}-?\d{2}-?\d{2}", text) is not None
    return (found + timedelta(days=1, seconds=-1) if is_day else found).astimezone()
