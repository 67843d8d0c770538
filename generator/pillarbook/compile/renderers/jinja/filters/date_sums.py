"""A date that is put together of words: dates, times of the day and distances.

Source: timelib 0.3.0 (``parse_date.re``, ``tm2unixtime.c``).
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field

from pillarbook.compile.renderers.jinja.filters.date_words import (
    DAYS,
    MONTHS,
    ROMAN,
    SIDES,
    split_words,
)
from pillarbook.compile.renderers.jinja.filters.dates import Now

_UNITS = {"sec": "s", "min": "i", "hou": "h", "day": "d", "mon": "m", "yea": "y"}
_WEEKDAYS = ("weekday", "weekdays")


def read_words(text: str, now: Now) -> dt.datetime:
    """Return the date that a text names.

    The current time is asked only if the date depends on it.
    """
    date = _Date()
    for name, parts in split_words(text):
        getattr(date, f"take_{name}")(parts)
    try:
        return date.add_up(now)
    except OverflowError as error:
        raise ValueError("no date") from error


@dataclass(slots=True)
class _Date:
    """What was read so far."""

    date: dict[str, int] = field(default_factory=dict)
    """Year, month and day, as far as they are said."""
    time: dict[str, int] = field(default_factory=dict)
    """Hour, minute and second; all of them or none."""
    distance: dict[str, int] = field(default_factory=lambda: dict.fromkeys("ymdhis", 0))
    """How far it is from there."""
    weekday: tuple[int, int] | None = None
    """A day of the week, and 1 where that day itself counts."""
    working: int | None = None
    """Working days."""
    has_date: bool = False
    """Whether a date was said."""
    times: int = 0
    """How often a time of the day was said."""

    def take_keyword(self, parts: Mapping[str, str]) -> None:
        """Take ``now``, ``noon``, ``tomorrow`` and the like."""
        word = parts["word"]
        if word == "now":
            return
        self._begin_day()
        if word == "noon":
            self._set_time(12, 0, 0)
        elif word in ("tomorrow", "yesterday"):
            self.distance["d"] = 1 if word == "tomorrow" else -1

    def take_seconds(self, parts: Mapping[str, str]) -> None:
        """Take seconds since 1970."""
        self._begin_day()
        self.date = {"y": 1970, "m": 1, "d": 1}
        self.distance["s"] += int(parts["s"])

    def take_time(self, parts: Mapping[str, str]) -> None:
        """Take a time of the day, with a date before it or without."""
        hour = int(parts["h"])
        if "half" in parts:
            hour = hour % 12 + (12 if parts["half"] == "p" else 0)
        if "mon" in parts:
            self._set_date({"m": _month(parts), "d": int(parts["d"])})
        self._set_time(hour, int(parts["i"]) if "i" in parts else 0, int(parts.get("s", 0)))

    def take_minutes(self, parts: Mapping[str, str]) -> None:
        """Take four digits: a time of the day, behind another one a year."""
        if self.times == 1:
            self.date["y"] = int(parts["h"] + parts["i"])
            self.times += 1
        else:
            self._set_time(int(parts["h"]), int(parts["i"]), 0)

    def take_date(self, parts: Mapping[str, str]) -> None:
        """Take a date, as much of it as is said."""
        if parts.get("sign") == "-":
            raise ValueError("no date")
        found = {"y": _year(parts["y"])} if "y" in parts else {}
        if "week" in parts:
            self._set_date({**found, "m": 1, "d": 1})
            first = dt.date(found["y"], 1, 1).isoweekday() % 7
            since = int(parts["week"]) * 7 + int(parts.get("wd", 1)) - first
            # What was said of days before counts no more, as in timelib.
            self.distance["d"] = since - (7 if first <= 4 else 0)
        elif "yd" in parts:
            self._set_date({**found, "m": 1, "d": int(parts["yd"])})
        else:
            month = {"m": _month(parts)} if "m" in parts or "mon" in parts else {}
            day = {"d": int(parts["d"])} if "d" in parts else {"d": 1} if "y" in parts else {}
            self._set_date({**found, **month, **day})
        if "h" in parts:
            self.take_time({key: parts[key] for key in "his"})

    def take_year(self, parts: Mapping[str, str]) -> None:
        """Take a year alone."""
        self.date["y"] = int(parts["y"])

    def take_ago(self, _parts: Mapping[str, str]) -> None:
        """Turn all distances so far round."""
        self.distance = {unit: -count for unit, count in self.distance.items()}
        if self.weekday is not None:
            self.weekday = -self.weekday[0], self.weekday[1]
        if self.working is not None:
            self.working = -self.working

    def take_distance(self, parts: Mapping[str, str]) -> None:
        """Take a number of units, or the next or last one."""
        if "side" in parts:
            self._add(SIDES[parts["side"]], parts["unit"], 1 if parts["side"] == "this" else 0)
        else:
            sign = -1 if parts.get("sign", "").count("-") % 2 else 1
            self._add(sign * int(parts["count"]), parts["unit"], 1)

    def take_weekday(self, parts: Mapping[str, str]) -> None:
        """Take a day of the week."""
        self._begin_day()
        is_working = parts["unit"] in _WEEKDAYS
        self.weekday = (1 if is_working else DAYS.index(parts["unit"][:3])), 1

    def take_zone(self, _parts: Mapping[str, str]) -> None:
        """Take a time zone, which changes nothing."""

    take_region = take_zone

    def _add(self, count: int, unit: str, behaviour: int) -> None:
        if unit in _WEEKDAYS:
            self._begin_day()
            self.working = count
        elif unit[:3] in DAYS and not unit.startswith("month"):
            self._begin_day()
            self.distance["d"] += (count - 1 if count > 0 else count) * 7
            self.weekday = DAYS.index(unit[:3]), behaviour
        elif unit.startswith(("week", "fort")):
            self.distance["d"] += count * (7 if unit.startswith("week") else 14)
        else:
            self.distance[_UNITS[unit[:3]]] += count

    def _begin_day(self) -> None:
        self.time, self.times = {"h": 0, "i": 0, "s": 0}, 0

    def _set_time(self, hour: int, minute: int, second: int) -> None:
        if self.times:
            raise ValueError("two times of the day")
        self.time, self.times = {"h": hour, "i": minute, "s": second}, 1

    def _set_date(self, date: Mapping[str, int]) -> None:
        if self.has_date:
            raise ValueError("two dates")
        self.date.update(date)
        self.has_date = True

    def add_up(self, now: Now) -> dt.datetime:
        """Return the date."""
        time = self.time or ({"h": 0, "i": 0, "s": 0} if self.has_date else {})
        if len(self.date) < 3 or not time:
            here = now()
            known = {"y": here.year, "m": here.month, "d": here.day}
            self.date = {**known, **self.date}
            time = time or {"h": here.hour, "i": here.minute, "s": here.second}
        day = self._at_weekday(_count(self.date))
        far = self.distance
        moved = {
            "y": day.year + far["y"],
            "m": day.month + far["m"],
            "d": day.day,
        }
        day = _count(moved) + dt.timedelta(days=far["d"])
        begin = dt.datetime.combine(day, dt.time())
        found = begin + dt.timedelta(
            hours=time["h"] + far["h"], minutes=time["i"] + far["i"], seconds=time["s"] + far["s"]
        )
        return found if self.working is None else _add_working(found, self.working)

    def _at_weekday(self, day: dt.date) -> dt.date:
        if self.weekday is None:
            return day
        weekday, behaviour = self.weekday
        today = day.isoweekday() % 7
        if weekday < 0:
            return day - dt.timedelta(days=7 - (-weekday - today))
        ahead = weekday - today
        if (self.distance["d"] < 0 and ahead < 0) or (
            self.distance["d"] >= 0 and ahead <= -behaviour
        ):
            ahead += 7
        return day + dt.timedelta(days=ahead)


def _count(date: Mapping[str, int]) -> dt.date:
    """Return a date whose month and day may lie beyond a year's and a month's."""
    year, month = divmod(date["y"] * 12 + date["m"] - 1, 12)
    return dt.date(year, month + 1, 1) + dt.timedelta(days=date["d"] - 1)


def _add_working(date: dt.datetime, count: int) -> dt.datetime:
    """Return a date so many days later, not counting Saturdays and Sundays."""
    weeks, days = divmod(abs(count), 5)
    today = date.isoweekday()
    past = max(today - 5, 0)
    """Days since Friday, at a weekend."""
    if count > 0:
        ahead = weeks * 7 + days - past
        crosses = min(today, 5) + max(days, 1) > 5
    elif count < 0:
        ahead = weeks * 7 + days - (3 - past if past else 0)
        crosses = (1 if past else today) - max(days, 1) < 1
    else:
        return date + dt.timedelta(days=3 - past if past else 0)
    ahead += 2 if crosses else 0
    return date + dt.timedelta(days=ahead if count > 0 else -ahead)


def _month(parts: Mapping[str, str]) -> int:
    if "m" in parts:
        return int(parts["m"])
    name = parts["mon"]
    return ROMAN.index(name) + 1 if name in ROMAN else MONTHS.index(name[:3]) + 1


def _year(text: str) -> int:
    year = int(text)
    if len(text) < 4 and year < 100:
        return year + (2000 if year < 70 else 1900)
    return year
