"""Sets of minions as bits of an integer, shared where they are equal.

Ten thousand minions are 1.25 KB. Most values of a fleet go to the same few groups of minions, so
equal sets are one object.
"""


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


def first_of(minions: int, most: int) -> list[int]:
    """Return the first few numbers of a set."""
    found: list[int] = []
    while minions and len(found) < most:
        last = minions & -minions
        found.append(last.bit_length() - 1)
        minions ^= last
    return found
