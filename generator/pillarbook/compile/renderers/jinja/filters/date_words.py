"""Dates in words, as timelib, Salt's library for dates, reads them.

A text is read from left to right. At each position, the form with the longest match counts; of
equally long ones, the first in ``_FORMS``. Missing parts are those of the current time. Time zones
are read, and have no effect.

Source: Salt ``salt/utils/dateutils.py`` (``date_cast``); timelib 0.3.0 (``strtodatetime``).
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Literal, TypeAlias

Name: TypeAlias = Literal[
    "ago",
    "date",
    "distance",
    "keyword",
    "minutes",
    "region",
    "seconds",
    "time",
    "weekday",
    "year",
    "zone",
]
Word: TypeAlias = tuple[Name, Mapping[str, str]]
"""The kind of a word, and its parts."""
# The regular expressions below are slow for long texts.
MAX_CHARACTERS = 200
"""Characters; a longer text is not a date."""
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
SIDES: Mapping[str, int] = MappingProxyType(
    {
        "this": 0,
        "next": 1,
        "last": -1,
        "previous": -1,
        "first": 1,
        "second": 2,
        "third": 3,
        "fourth": 4,
        "fifth": 5,
        "sixth": 6,
        "seventh": 7,
        "eight": 8,
        "ninth": 9,
        "tenth": 10,
        "eleventh": 11,
        "twelfth": 12,
    }
)
"""Words for the distance of a unit."""
_ZONE = re.compile(
    "utc|gmt|wet|west|bst|ist|cet|cest|met|mest|eet|eest|msk|msd|sast|jst|kst|hkt|sgt|aest|aedt"
    "|acst|acdt|awst|nzst|nzdt|est|edt|cst|cdt|mst|mdt|pst|pdt|akst|akdt|hst|ast|adt|nst|ndt"
    "|[a-ik-z]",
    re.IGNORECASE,
)
"""Short names of time zones."""
_NAMES = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec"
)
_PARTS = {
    "mon": rf"(?P<mon>{_NAMES}|(?-i:VIII|VII|III|XII|IV|VI|IX|XI|II|I|V|X))",
    "name": rf"(?P<mon>{_NAMES})",
    "abbr": r"(?P<mon>jan|feb|mar|apr|may|jun|jul|aug|sept|sep|oct|nov|dec)",
    "day": r"(?P<d>3[01]|[0-2]?[0-9])(?:st|nd|rd|th)?",
    "dd": r"(?P<d>[0-2][0-9]|3[01])",
    "month": r"(?P<m>1[0-2]|0?[0-9])",
    "mm": r"(?P<m>0[0-9]|1[0-2])",
    "year": r"(?P<y>[0-9]{1,4})",
    "y4": r"(?P<y>[0-9]{4})",
    "y2": r"(?P<y>[0-9]{2})",
    "h": r"(?P<h>2[0-3]|[01]?[0-9])",
    "hh": r"(?P<h>[01][0-9]|2[0-3])",
    "h12": r"(?P<h>1[0-2]|0?[1-9])",
    "i": r"(?P<i>[0-5]?[0-9])",
    "ii": r"(?P<i>[0-5][0-9])",
    "s": r"(?P<s>60|[0-5]?[0-9])",
    "ss": r"(?P<s>60|[0-5][0-9])",
    "half": r"(?P<half>[ap])\.?m\.?(?:[ \t]|$)",
    "weekday": r"(?:sunday|monday|tuesday|wednesday|thursday|friday|saturday"
    r"|sun|mon|tues|tue|wed|thurs|thur|thu|fri|sat|weekdays?)",
    "unit": r"(?P<unit>(?:second|sec|minute|min|hour|day|fortnight|forthnight|month|year)s?"
    r"|@weekday@|weeks?)",
    "side": rf"(?P<side>{'|'.join(SIDES)})",
}
_FORMS: tuple[tuple[Name, str], ...] = (
    ("keyword", r"(?P<word>yesterday|now|noon|midnight|today|tomorrow)"),
    ("seconds", r"@(?P<s>-?[0-9]+)"),
    ("time", r"@h12@[ \t]*@half@"),
    ("time", r"@h12@[:.]@ii@[ \t]*@half@"),
    ("time", r"@h12@[:.]@i@[:.]@ss@[ \t]*@half@"),
    ("time", r"t?@h@[:.]@i@"),
    ("time", r"t?@h@[:.]@i@[:.]@s@(?:\.[0-9]+)?"),
    ("minutes", r"t?@hh@@ii@"),
    ("time", r"t?@hh@@ii@@ss@"),
    ("date", r"@month@/@day@"),
    ("date", r"@month@/@day@/@year@"),
    ("date", r"@y4@/@month@/@day@/?"),
    ("date", r"(?P<sign>[+-])?@y4@-@mm@-@dd@"),
    ("date", r"@y2@-@mm@-@dd@"),
    ("date", r"@y4@-@month@"),
    ("date", r"@year@-@month@-@day@"),
    ("date", r"@day@[ \t.-]*@mon@[ \t.-]*@year@"),
    ("date", r"@day@[.\t-]@month@[.-]@y4@"),
    ("date", r"@day@[.\t]@month@\.@y2@"),
    ("date", r"@mon@[ .\t-]*@y4@"),
    ("date", r"@y4@[ .\t-]*@mon@"),
    ("date", r"@mon@[ .\t-]*@day@[,.stndrh\t ]+@year@"),
    ("date", r"@mon@[ .\t-]*@day@[,.stndrh\t ]*"),
    ("date", r"@day@[ .\t-]*@mon@"),
    ("date", r"@y4@@mm@@dd@"),
    ("date", r"@y4@@mm@@dd@t@h@:?@ii@:?@ss@"),
    ("date", r"(?-i:@y4@:@mm@:@dd@ @hh@:@ii@:@ss@)"),
    ("date", r"@y4@\.?(?P<yd>00[1-9]|0[1-9][0-9]|[12][0-9][0-9]|3[0-5][0-9]|36[0-6])"),
    ("date", r"(?-i:@y4@-?W(?P<week>0[1-9]|[1-4][0-9]|5[0-3])(?:-?(?P<wd>[0-7]))?)"),
    ("date", r"@abbr@-@dd@-@year@"),
    ("date", r"@year@-@abbr@-@dd@"),
    ("date", r"@day@/@abbr@/@y4@:@hh@:@ii@:@ss@"),
    ("year", r"@y4@"),
    ("ago", r"ago"),
    ("weekday", r"(?P<unit>@weekday@)"),
    ("distance", r"@side@[ \t]+@unit@"),
    ("date", r"@name@"),
    ("zone", r"(?:gmt)?[+-]@h@:?(?:[0-5]?[0-9])?|\(?(?P<zone>[a-z]{1,6})\)?"),
    ("region", r"(?-i:[A-Z][a-z]+(?:[_/][A-Z][a-z]+)+)"),
    ("time", r"@mon@[ .\t-]*@day@[,.stndrh\t ]*t?@h@[:.]@i@(?:[:.]@s@(?:\.[0-9]+)?)?"),
    ("distance", r"(?P<sign>[+-]*)[ \t]*(?P<count>[0-9]{1,9})[ \t]*@unit@"),
)


def _compile(pattern: str) -> re.Pattern[str]:
    for name in ("unit", *_PARTS):  # the names of days are units
        pattern = pattern.replace(f"@{name}@", _PARTS[name])
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


# Cached for the process, and not made at import: few templates read such texts.
@cache
def _compiled() -> tuple[tuple[Name, re.Pattern[str]], ...]:
    return tuple((name, _compile(pattern)) for name, pattern in _FORMS)  # takes 10 ms


def split_words(text: str) -> Iterator[Word]:
    """Yield the words of a text."""
    at, has_zone = 0, False
    if not text or len(text) > MAX_CHARACTERS:
        raise ValueError("no date")
    while at < len(text):
        if text[at] in " .,\t":
            at += 1
            continue
        tried = ((name, form.match(text, at)) for name, form in _compiled())
        found = [(name, one) for name, one in tried if one is not None]
        if not found:
            raise ValueError("no date")
        name, best = max(found, key=lambda one: one[1].end())  # the first of the longest matches
        if name in ("zone", "region"):
            if not (has_zone or name == "region" or _ZONE.fullmatch(best["zone"] or "utc")):
                raise ValueError("no date")
            has_zone = True  # any name after a zone counts as another zone
        yield name, {key: part.lower() for key, part in best.groupdict().items() if part}
        at = best.end()
