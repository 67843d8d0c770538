"""The sorted rows of the search index, cut into blocks so that a word leads to one of them.

Cuts after so many characters would not do: a word that thousands of names begin with would lead to
hundreds of blocks, of which the first have one kind of thing only. So blocks follow the beginnings
of terms. If the rows whose terms begin with a text fit into a block, they lie together in one. If
not, that text has a block with the best rows of each kind, and all rows follow in further blocks.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import nsmallest
from itertools import chain, zip_longest
from operator import attrgetter
from os.path import commonprefix

from pillarbook.report.search_rows import SearchRow

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
