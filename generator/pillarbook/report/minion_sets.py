"""Sets of minions as bits of an integer, shared where they are equal.

Ten thousand minions are 1.25 KB. Most values of a fleet go to the same few groups of minions, so
equal sets are one object.
"""

import zlib
from collections.abc import Iterable, Iterator
from itertools import islice


class MinionSets:
    """Joins sets; each pair of objects is joined once."""

    def __init__(self) -> None:
        self._equal: dict[int, int] = {}
        # By identity, which is quicker than to compare; the sets are kept beside their result.
        self._joined: dict[tuple[int, int], tuple[int, int, int]] = {}

    def share(self, minions: int) -> int:
        """Return the one object for equal sets."""
        return self._equal.setdefault(minions, minions)

    def join(self, one: int, other: int) -> int:
        """Return the minions of two sets."""
        if one is other or not other:
            return one
        if not one:
            return other
        known = self._joined.get((id(one), id(other)))
        if known is None:
            joined = self.share(one | other)
            known = self._joined[id(one), id(other)] = (one, other, joined)
        return known[2]

    def forget(self) -> None:
        """Let go of what was joined; what is still used lives on where it is used."""
        self._equal.clear()
        self._joined.clear()


def set_of(numbers: Iterable[int]) -> int:
    """Return a set of minions, given their numbers."""
    found = list(numbers)
    bits = bytearray(max(found, default=0) // 8 + 1)
    for number in found:
        bits[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(bits, "little")


def numbers_in(minions: int) -> Iterator[int]:
    """Yield the numbers of a set in order."""
    while minions:
        low = minions & -minions
        yield low.bit_length() - 1
        minions ^= low


def first_of(minions: int, most: int) -> list[int]:
    """Return the first few numbers of a set."""
    return list(islice(numbers_in(minions), most))


def pack_set(minions: int) -> bytes:
    """Return a set for another process; that of few minions in a large fleet is short."""
    return zlib.compress(minions.to_bytes(minions.bit_length() // 8 + 1, "little"), 1)


def unpack_set(packed: bytes) -> int:
    """Return a set of another process."""
    return int.from_bytes(zlib.decompress(packed), "little")
