"""Where diagnostics stand in the repository, as a service that shows them beside it wants it."""

from collections.abc import Callable
from dataclasses import dataclass

from pillarbook.diagnostics.diagnostic import Diagnostic
from pillarbook.model import Position


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryPaths:
    """Leads from a diagnostic to a file of the repository."""

    locate: Callable[[str], str | None]
    """Gives a position's file as a path from the repository's top, with slashes; None where it is
    no file of the repository: it lies outside, in another one, or its name is redacted."""
    master: str
    """The master file's path from the repository's top: stands for what has no place."""
    inventory: str
    """The inventory's path: stands for what has no place and concerns minions."""

    def find(self, position: Position | None) -> Position | None:
        """Return a place as counted from the repository's top; None where it is not in there."""
        path = None if position is None else self.locate(position.file)
        return None if path is None else Position(path, position.line if position else None)

    def placeholder(self, diagnostic: Diagnostic) -> Position:
        """Return a place in the repository, if need be one that stands for it.

        The services that take only findings with a place take a line from 1 on.
        """
        found = self.find(diagnostic.position)
        if found is None:
            return Position(self.inventory if diagnostic.minions else self.master, 1)
        return Position(found.file, max(1, found.line or 1))

    def describe(self, diagnostic: Diagnostic) -> str:
        """Return the message, behind its place where that is not in the repository."""
        position = diagnostic.position
        if position is None or self.find(position) is not None:
            return diagnostic.message
        return f"{position}: {diagnostic.message}"
