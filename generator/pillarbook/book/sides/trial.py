"""The head of a comparison, opened once more with some of its files changed."""

from collections.abc import Mapping
from pathlib import Path

from pillarbook.book.fleet import FleetBook
from pillarbook.book.sides.touched import Touched
from pillarbook.compile.pillar import CompiledPillar


class Trial:
    """What the head's minions would get with some files changed.

    Args:
        head: The head.
        book: The same with those files changed.
        touched: Says what differs between both.
    """

    def __init__(self, head: FleetBook, book: FleetBook, touched: Touched) -> None:
        self._head = head
        self._book = book
        self._touched = touched
        self._minions = {book.declared(name).id: name for name in book.minions}

    def compile(self, compiled: CompiledPillar) -> CompiledPillar | None:
        """Return what a minion would get: the same object where nothing touches it.

        Args:
            compiled: What it gets in the head.

        Returns:
            None where there would be no such minion.
        """
        name = self._minions.get(compiled.minion)
        if name is None:
            return None
        declared = self._book.declared(name)
        own = self._head.declared(self._head.shown_id(compiled.minion))
        if not self._touched.touches(own, declared, compiled):
            return compiled
        return self._book.compile_as(declared)

    @property
    def book(self) -> FleetBook:
        """The book that it compiles with."""
        return self._book

    @property
    def minions(self) -> frozenset[str]:
        """The ids of its minions."""
        return frozenset(self._minions)


Patch = Mapping[Path, bytes | None]
"""What files hold instead; None for one that is not there."""
