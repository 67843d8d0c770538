"""What a computation read that is not there, and whether it had a default for that.

This follows from the answers to its questions, and so is no question itself.
"""

from collections.abc import Mapping
from typing import Any

Place = tuple[str, tuple[Any, ...]]
"""The name of a view, and a path in it."""
Misses = Mapping[Place, bool]
"""What was read and is not there, and whether each read had a default."""


class MissLog:
    """The reads of one computation that found nothing."""

    def __init__(self) -> None:
        self._bare: dict[Place, int] = {}
        self._excused: dict[int, object] = {}

    @property
    def found(self) -> Misses:
        """What was read and is not there."""
        return {place: not bare for place, bare in self._bare.items()}

    def add(self, name: str, path: tuple[Any, ...], *, bare: bool) -> None:
        """Note a read of what is not there.

        Args:
            name: The view.
            path: What was asked for.
            bare: Whether whoever reads has no default.
        """
        self._bare[name, path] = self._bare.get((name, path), 0) + bare

    def excuse(self, name: str, path: tuple[Any, ...], result: object) -> None:
        """Note that what such a read gave is replaced by a default, or only looked at.

        Args:
            name: The view.
            path: What was asked for.
            result: What stands for the missing value; it counts once.
        """
        if id(result) not in self._excused and self._bare.get((name, path)):
            self._excused[id(result)] = result
            self._bare[name, path] -= 1

    def take_back(self, name: str, path: tuple[Any, ...]) -> None:
        """Take back the latest note of a read without a default; what reads goes another way."""
        if self._bare.get((name, path), 0) <= 1:
            self._bare.pop((name, path), None)
        else:
            self._bare[name, path] -= 1
