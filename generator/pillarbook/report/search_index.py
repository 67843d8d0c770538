"""The index of the search box, as sorted blocks of terms in plain scripts.

A report is read from a disk as well, where a page may run a script but fetch nothing, and an index
of a large fleet is too big to load as a whole. So the terms are sorted and cut into blocks, each a
script of its own; the directory says with which term each block begins, and a query loads the few
blocks that its words lead to (docs/decisions/0030). `templates/theme/js/search.js` reads it.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pillarbook.report.value_html import make_visible

SCHEMA = "pillarbook.search/1"
FOLDER = "assets/search"
"""Where the index is in the site."""
BLOCK = 8_000
"""Characters after which a block ends."""
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


@dataclass(frozen=True, slots=True)
class SearchPart:
    """Entries that are searched together, in blocks of their own."""

    entries: Iterable[SearchEntry]
    """The entries."""
    starts: re.Pattern[str]
    """Where words begin that an entry is found by, besides its beginning."""


def write_search(parts: Iterable[SearchPart]) -> Iterator[tuple[str, str]]:
    """Yield the files of an index, address and text; the directory is the last one.

    The directory's shape: ``{"schema", "parts": [{"first": number, "terms": [TERM...]}]}``, a term
    for each block of the part: greater than all terms of the block before it, and not greater
    than any of its own. A block's: ``(number, [TEXT...], [[offset of the term in the label, kind,
    label, detail, minion, page, anchor]...])``, all but the offset as numbers of texts, and those
    at the end left out if they are empty.
    """
    number = 0
    told: list[dict[str, int | list[str]]] = []
    for part in parts:
        first, terms = number, []
        for term, block in _write_blocks(part):
            yield f"{FOLDER}/{number}.js", f"pillarbookSearch({number},{block});\n"
            terms.append(term)
            number += 1
        told.append({"first": first, "terms": terms})
    directory = _as_json({"schema": SCHEMA, "parts": told})
    yield f"{FOLDER}/index.js", f"globalThis.pillarbookSearchIndex = {directory};\n"


def fold(text: str) -> str:
    """Return a text as terms are compared; the script does the same.

    Scripts order characters beyond the first plane otherwise, so these are not told apart.
    """
    return _NOT_IN_SCRIPTS.sub("\ufffd", text.lower())


def _write_blocks(part: SearchPart) -> Iterator[tuple[str, str]]:
    """Yield the blocks of a part, each behind a term that separates it from the one before."""
    entries = [_make_visible(one) for one in part.entries]
    before, last = "", ""
    block = _Block()
    for term, offset, number in sorted(_find_terms(entries, part.starts)):
        if block.size >= BLOCK:
            yield before, block.write()
            before, block = _separate(last, term), _Block()
        block.add(offset, entries[number])
        last = term
    if block.size:
        yield before, block.write()


def _find_terms(
    entries: Sequence[SearchEntry], starts: re.Pattern[str]
) -> Iterator[tuple[str, int, int]]:
    """Yield terms with their offsets and the numbers of their entries."""
    equal: Counter[str] = Counter()
    for number, entry in enumerate(entries):
        label = fold(entry.label)
        yield label, 0, number
        for _, found in zip(range(MAX_STARTS), starts.finditer(label), strict=False):
            term = label[found.start() :]
            equal[term] += 1
            if equal[term] <= MAX_EQUAL:
                yield term, found.start(), number


def _separate(last: str, term: str) -> str:
    """Return the shortest beginning of a term that is greater than the term before it."""
    at = next((at for at, (a, b) in enumerate(zip(last, term, strict=False)) if a != b), len(last))
    return term[: at + 1]


def _make_visible(one: SearchEntry) -> SearchEntry:
    label, detail, minion = map(make_visible, (one.label, one.detail, one.minion))
    return SearchEntry(one.kind, label, detail, minion, one.page, one.anchor)


class _Block:
    """The rows of a block, and the texts that they are made of."""

    def __init__(self) -> None:
        self._texts: dict[str, int] = {"": 0}
        self._rows: list[list[int]] = []
        self.size = 0

    def add(self, offset: int, one: SearchEntry) -> None:
        texts = (one.kind, one.label, one.detail, one.minion, one.page, one.anchor)
        row = [offset]
        for text in texts:
            if text not in self._texts:
                self._texts[text] = len(self._texts)
                self.size += len(text) + 3
            row.append(self._texts[text])
        while not row[-1]:
            row.pop()
        self._rows.append(row)
        self.size += 3 * len(row)

    def write(self) -> str:
        return f"{_as_json(list(self._texts))},{_as_json(self._rows)}"


def _as_json(data: object) -> str:
    return json.dumps(data, separators=(",", ":"))
