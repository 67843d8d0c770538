"""The index of the search box: blocks of sorted terms in plain scripts.

A report is read from a disk as well, where a page may run a script but fetch nothing, and the index
of a large fleet is too big to load as a whole. So each block is a script of its own, and a
directory of two levels says which one a word leads to (docs/decisions/0030).
`templates/theme/js/search.js` reads it.
"""

import json
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import nsmallest
from itertools import chain, zip_longest
from operator import attrgetter
from os.path import commonprefix

from pillarbook.report.search_rows import SearchPart, SearchRow, list_rows
from pillarbook.report.value_html import make_visible

SCHEMA = "pillarbook.search/2"
FOLDER = "assets/search"
"""Where the index is in the site."""
KEYS = 64
"""Keys of blocks in one file of the directory."""


def write_search(parts: Iterable[SearchPart]) -> Iterator[tuple[str, str]]:
    """Yield the files of the index, address and text; the directory's first level is the last one.

    It has the shape ``{"schema", "step": keys in a file, "keys": [the first KEY of each file]}``. A
    file of its second level is ``(number, [KEY...])``, with the keys of blocks in their order. A
    block's is ``(number, [TEXT...], [[offset of the term in the label, kind, label, detail, minion,
    page, anchor]...])``, all but the offset as numbers of texts, and those at the end left out if
    they are empty.
    """
    blocks = cut_blocks(sorted(list_rows(parts)))
    for number, (_, rows) in enumerate(blocks):
        yield f"{FOLDER}/{number}.js", f"pillarbookSearch({number},{_write_block(rows)});\n"
    keys = [key for key, _ in blocks]
    for at in range(0, len(keys), KEYS):
        number, text = at // KEYS, _as_json(keys[at : at + KEYS])
        yield f"{FOLDER}/keys{number}.js", f"pillarbookSearchKeys({number},{text});\n"
    directory = _as_json({"schema": SCHEMA, "step": KEYS, "keys": keys[::KEYS]})
    yield f"{FOLDER}/index.js", f"globalThis.pillarbookSearchIndex = {directory};\n"


def _write_block(rows: Iterable[SearchRow]) -> str:
    texts = {"": 0}
    lines = []
    for row in rows:
        line = [row.offset, *(texts.setdefault(text, len(texts)) for text in row.entry.texts)]
        while not line[-1]:
            line.pop()
        lines.append(line)
    return f"{_as_json(list(texts))},{_as_json(lines)}"


def _as_json(data: object) -> str:
    return json.dumps(data, separators=(",", ":"))


_WORDS = re.compile(r"\w+")


def list_words(names: Iterable[str]) -> str:
    """Return names and the words in them, each once, for the search of another theme.

    Such a search finds whole words of what MkDocs shows it (``web1.example.com`` is one word), and
    the data of all pages would make its index unusable. So it gets names only.
    """
    found: dict[str, None] = {}
    for name in map(make_visible, names):
        found |= dict.fromkeys((name, *_WORDS.findall(name)))
    return " ".join(found)


BLOCK = 3_200
"""Characters of a block; a row that is longer has a block of its own."""
MAX_KEY = 64
"""Characters of a key. It ends what hostile names could make of the tree of keys."""
BEST = 24
"""Rows of a kind that are thought of for a text with too many; more than are ever shown."""
_SMALLEST_ROW = 20
_TERM = attrgetter("term")

Block = tuple[str, Sequence[SearchRow]]
"""A key, with which terms begin, and rows."""
_Best = Mapping[str, Sequence[SearchRow]]


def cut_blocks(rows: Sequence[SearchRow]) -> Sequence[Block]:
    """Return the blocks of sorted rows, in the order of their keys.

    If the rows whose terms begin with a text fit into a block, they lie together in one. If not,
    that text has a block with the best rows of each kind, and all rows follow in further blocks:
    cuts after so many characters would lead a word that thousands of names begin with to hundreds
    of blocks, of which the first have one kind of thing only.

    The block of a word is the first whose key begins with the word, else the last one with a lesser
    key. Of blocks with the same key, the first has the best rows.
    """
    cutter = _Cutter(rows)
    if rows:
        cutter.cut(0, len(rows), 0)
    return cutter.blocks


class _Cutter:
    """Cuts rows into blocks, from the first to the last."""

    def __init__(self, rows: Sequence[SearchRow]) -> None:
        self.blocks: list[Block] = []
        self._rows = rows
        # The rows of the last block, and how many characters more it can have.
        self._low, self._room = 0, 0

    def cut(self, low: int, high: int, same: int) -> _Best:
        """Cut rows whose terms have the first characters in common; return the best of them."""
        rows = self._rows
        size = _measure(rows[low:high]) if high - low <= BLOCK // _SMALLEST_ROW else BLOCK + 1
        if size <= BLOCK or high - low == 1:
            self._add(rows[low].term[:same], low, high, size)
            return _choose(rows[low:high], "")
        key = commonprefix((rows[low].term, rows[high - 1].term))[:MAX_KEY]  # noqa: RUF071 (no paths)
        place, self._room = len(self.blocks), 0
        self.blocks.append((key, ()))
        # Sorted, so the terms that are no longer than the key come first.
        end = high if len(key) == MAX_KEY else self._find(key + "\0", low, high)
        for one, next_one, its_size in _split(rows, low, end):
            self._add(key, one, next_one, its_size)
        found = [_choose(rows[low:end], key)]
        while end < high:
            start, letter = end, rows[end].term[len(key)]
            end = self._find(key + chr(ord(letter) + 1), start, high)
            found.append(self.cut(start, end, len(key) + 1))
        best = _choose(chain.from_iterable(chain(*(one.values() for one in found))), key)
        self.blocks[place] = (key, _fill(best))
        return best

    def _find(self, term: str, low: int, high: int) -> int:
        return bisect_left(self._rows, term, low, high, key=_TERM)

    def _add(self, key: str, low: int, high: int, size: int) -> None:
        """Add rows to the last block if it has room, else to a new one."""
        if size <= self._room:
            key, _ = self.blocks.pop()
        else:
            self._low, self._room = low, BLOCK
        self._room -= size
        self.blocks.append((key, self._rows[self._low : high]))


class _Size:
    """The characters of rows that lie in one block, where each text is written once."""

    def __init__(self) -> None:
        self.total = 0
        self._texts: set[str] = {""}

    def add(self, row: SearchRow) -> int:
        """Take a row, and return the size with it."""
        self.total += _SMALLEST_ROW
        for text in row.entry.texts:
            if text not in self._texts:
                self._texts.add(text)
                self.total += (len(text) if text.isascii() else 6 * len(text)) + 3
        return self.total


def _measure(rows: Iterable[SearchRow]) -> int:
    """Return the size of rows, or of the first of them that are more than a block."""
    size = _Size()
    for row in rows:
        if size.add(row) > BLOCK:
            break
    return size.total


def _split(rows: Sequence[SearchRow], low: int, high: int) -> Iterator[tuple[int, int, int]]:
    """Yield where blocks of rows begin and end, with their sizes."""
    size = _Size()
    for at in range(low, high):
        before = size.total
        if size.add(rows[at]) > BLOCK and at > low:
            yield low, at, before
            low, size = at, _Size()
            size.add(rows[at])
    if low < high:
        yield low, high, size.total


def _choose(rows: Iterable[SearchRow], key: str) -> _Best:
    """Return the best rows of each kind for a word, the best first."""
    kinds: dict[str, list[SearchRow]] = defaultdict(list)
    for row in rows:
        kinds[row.entry.kind].append(row)
    rank = partial(_rank, key)
    return {kind: nsmallest(BEST, found, key=rank) for kind, found in kinds.items()}


def _rank(key: str, row: SearchRow) -> tuple[int, int, str, int]:
    """Say how well a row fits a word, as the script does."""
    is_whole, is_name = not row.offset, row.entry.kind != "Values"
    order = (is_whole and row.term == key, is_whole and is_name, row.term == key, is_whole, True)
    return order.index(True), len(row.entry.label), row.term, row.number


def _fill(best: _Best) -> Sequence[SearchRow]:
    """Return the best rows that fit into a block, as many of each kind as there is room for."""
    size, chosen = _Size(), dict[int, SearchRow]()
    for row in chain.from_iterable(zip_longest(*best.values())):
        if row is None or row.number in chosen:
            continue
        if size.add(row) > BLOCK and chosen:
            break
        chosen[row.number] = row
    return tuple(chosen.values())
