"""What the search box finds, and the terms by which it does."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pillarbook.report.value_html import make_visible

MAX_STARTS = 6
"""Words of one entry that it is found by."""
MAX_EQUAL = 100
"""Entries that one word within them finds; a word at the beginning finds all."""
_NOT_IN_SCRIPTS = re.compile("[\U00010000-\U0010ffff]")
WORDS = re.compile(r"(?<=[:./_\s-])(?=[\w\ufffd])")
"""Where a word begins in a name."""
PARTS = re.compile(r"(?<=[\s:/@=,;|\"'()\[\]{}])(?=[\w\ufffd])")
"""Where a part begins in a value or a grain; a host name and an address are one."""


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """Something that is found."""

    kind: str
    """The heading of its results: ``Keys``."""
    label: str
    """What it is found by."""
    detail: str = ""
    """What is said beside it."""
    minion: str = ""
    """A minion that is named beside it, or how many there are."""
    page: str = ""
    """The address of its page from the site's root; empty for that of the minion."""
    anchor: str = ""
    """The id of its row there."""

    @property
    def texts(self) -> tuple[str, ...]:
        """Its fields, in the order in which the index has them."""
        return (self.kind, self.label, self.detail, self.minion, self.page, self.anchor)


@dataclass(frozen=True, slots=True)
class SearchPart:
    """Entries whose labels have words of one kind."""

    entries: Iterable[SearchEntry]
    starts: re.Pattern[str]
    """Where words begin that an entry is found by, besides its beginning."""


class SearchRow(NamedTuple):
    """A term and the entry that it finds; rows sort by their terms."""

    term: str
    """A folded text of which a query has the beginning: the label from one of its words on."""
    offset: int
    """Where it begins in the label."""
    number: int
    """That of the entry, which no other has."""
    entry: SearchEntry
    """What is found."""


def list_rows(parts: Iterable[SearchPart]) -> Iterator[SearchRow]:
    """Yield the rows of all entries, in no order."""
    number = 0
    for part in parts:
        equal: Counter[str] = Counter()
        for hidden in part.entries:
            entry = _make_visible(hidden)
            number += 1
            label = fold(entry.label)
            yield SearchRow(label, 0, number, entry)
            found = part.starts.finditer(_lower(entry.label))
            for _, start in zip(range(MAX_STARTS), found, strict=False):
                term = label[start.start() :]
                equal[term] += 1
                if equal[term] <= MAX_EQUAL:
                    yield SearchRow(term, start.start(), number, entry)


def fold(text: str) -> str:
    """Return a text as terms are compared; the script does the same.

    Keys are written ``a:b``, and who writes ``a.b`` means them, too.
    """
    return _lower(text).replace(".", ":")


def _lower(text: str) -> str:
    """Return a text in lower case; scripts order characters beyond the first plane otherwise."""
    return _NOT_IN_SCRIPTS.sub("\ufffd", text.lower())


def _make_visible(one: SearchEntry) -> SearchEntry:
    label, detail, minion = map(make_visible, (one.label, one.detail, one.minion))
    return SearchEntry(one.kind, label, detail, minion, one.page, one.anchor)
