"""The longest common subsequence of two sequences, exactly, however long they are.

Rows of the usual table differ by 0 or 1 from column to column, so a row is kept as the bits of one
number and the next row is a handful of operations on it (Hyyrö, "Bit-parallel LCS-length
computation revisited", 2004). 5,000 members against 5,000 take some milliseconds.
"""

from collections.abc import Hashable, Sequence

MAX_BITS = 1 << 28
"""Bits of a table that is kept as a whole: 32 MiB. A larger one is divided (Hirschberg, 1975)."""

Pairs = list[tuple[int, int]]


def common_subsequence(base: Sequence[Hashable], head: Sequence[Hashable]) -> Pairs:
    """Return the positions ``(in base, in head)`` of a longest common subsequence, ascending."""
    most = min(len(base), len(head))
    front = 0
    while front < most and base[front] == head[front]:
        front += 1
    back = 0
    while back < most - front and base[-1 - back] == head[-1 - back]:
        back += 1
    pairs = [(at, at) for at in range(front)]
    pairs += _align_common(base, head, front, back)
    pairs += [(len(base) - at, len(head) - at) for at in range(back, 0, -1)]
    return pairs


def _align_common(
    base: Sequence[Hashable], head: Sequence[Hashable], front: int, back: int
) -> Pairs:
    """Align the parts between a common start and end; items of one side only are left out."""
    ours = range(front, len(base) - back)
    theirs = range(front, len(head) - back)
    both = {base[at] for at in ours} & {head[at] for at in theirs}
    if not both:
        return []
    ours_common = [at for at in ours if base[at] in both]
    theirs_common = [at for at in theirs if head[at] in both]
    found = _align([base[at] for at in ours_common], [head[at] for at in theirs_common])
    return [(ours_common[left], theirs_common[right]) for left, right in found]


def _align(base: list[Hashable], head: list[Hashable]) -> Pairs:
    if len(base) * len(head) > MAX_BITS and len(head) > 1:
        return _align_halves(base, head)
    rows = _rows(base, head)
    pairs: Pairs = []
    column, row = len(base), len(head)
    while column and row:
        bit = 1 << (column - 1)
        if rows[row] & bit:  # as long without this member of the base
            column -= 1
            continue
        row -= 1
        if rows[row] & bit:  # shorter without this member of the head: the two are a pair
            column -= 1
            pairs.append((column, row))
    pairs.reverse()
    return pairs


def _align_halves(base: list[Hashable], head: list[Hashable]) -> Pairs:
    """Divide the head in the middle, and the base where both halves have most in common."""
    middle = len(head) // 2
    before = _lengths(base, head[:middle])
    after = _lengths(base[::-1], head[middle:][::-1])[::-1]
    together = [first + second for first, second in zip(before, after, strict=True)]
    cut = together.index(max(together))
    pairs = common_subsequence(base[:cut], head[:middle])
    pairs += [
        (cut + left, middle + right)
        for left, right in common_subsequence(base[cut:], head[middle:])
    ]
    return pairs


def _masks(base: list[Hashable]) -> dict[Hashable, int]:
    """Return, for each value, the bits of the columns that have it."""
    places: dict[Hashable, list[int]] = {}
    for at, value in enumerate(base):
        places.setdefault(value, []).append(at)
    masks = {}
    for value, columns in places.items():
        row = bytearray(columns[-1] // 8 + 1)
        for at in columns:
            row[at // 8] |= 1 << at % 8
        masks[value] = int.from_bytes(row, "little")
    return masks


def _rows(base: list[Hashable], head: list[Hashable]) -> list[int]:
    """Return the rows of the table: a bit that is 0 means that the length grows in its column."""
    masks = _masks(base)
    full = (1 << len(base)) - 1
    rows = [full]
    for value in head:
        row = rows[-1]
        common = row & masks[value]
        rows.append(((row + common) | (row - common)) & full)
    return rows


def _lengths(base: list[Hashable], head: list[Hashable]) -> list[int]:
    """Return the lengths for each prefix of the base, the empty one first."""
    masks = _masks(base)
    row = full = (1 << len(base)) - 1
    for value in head:
        common = row & masks.get(value, 0)
        row = ((row + common) | (row - common)) & full
    lengths = [0]
    for bit in reversed(f"{row:0{len(base)}b}"):
        lengths.append(lengths[-1] + (bit == "0"))
    return lengths
