"""Reads of one computation that found nothing, and whether each had a default.

They depend on the answers to its questions, so they are not questions themselves.
"""

from collections.abc import Mapping
from typing import Any

Place = tuple[str, tuple[Any, ...]]
"""The name of a view, and a path in it."""
Misses = Mapping[Place, bool]
"""Reads that found nothing, and whether each had a default."""


def join_misses(first: Misses, second: Misses) -> Misses:
    """Return the reads without result of two parts of one computation."""
    if not (first and second):
        return first or second
    return {
        place: first.get(place, True) and second.get(place, True) for place in {**first, **second}
    }


class MissLog:
    """The reads of one computation that found nothing.

    ``before`` are those of an earlier computation, whose results this one may replace by defaults.
    """

    def __init__(self, before: "MissLog | None" = None) -> None:
        self._before = before
        self._bare: dict[Place, int] = {}
        self._excused: dict[int, object] = {}

    @property
    def found(self) -> Misses:
        """The reads that found nothing, and whether each had a default."""
        return {place: not bare for place, bare in self._bare.items()}

    def add(self, name: str, path: tuple[Any, ...], *, bare: bool) -> None:
        """Note a read that found nothing; a bare one has no default."""
        self._bare[name, path] = self._bare.get((name, path), 0) + bare

    def excuse(self, name: str, path: tuple[Any, ...], result: object) -> None:
        """Note that the result of such a read is replaced by a default, or only tested.

        Each result, which stands for the missing value, counts once.
        """
        if id(result) in self._excused:
            return
        if self._bare.get((name, path)):
            self._excused[id(result)] = result
            self._bare[name, path] -= 1
        elif self._before is not None:
            self._before.excuse(name, path, result)

    def absorb(self, other: "MissLog") -> None:
        """Add the reads of a part of the computation."""
        for place, bare in other._bare.items():  # noqa: SLF001 (of this class)
            self._bare[place] = self._bare.get(place, 0) + bare
        self._excused.update(other._excused)  # noqa: SLF001 (of this class)

    def take_back(self, name: str, path: tuple[Any, ...]) -> None:
        """Remove the last note of a read without default, because another read replaces it."""
        if self._bare.get((name, path), 0) <= 1:
            self._bare.pop((name, path), None)
        else:
            self._bare[name, path] -= 1
