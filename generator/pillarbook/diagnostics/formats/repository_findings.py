"""Paths and fingerprints of findings for services that show them in a repository."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pillarbook.diagnostics.diagnostic import Diagnostic
from pillarbook.model import Position

_LINE = re.compile(r":\d+")
_DIGITS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryPaths:
    """Leads from a diagnostic to a file of the repository."""

    locate: Callable[[str], str | None]
    """Gives a position's file as a path from the repository's top, with slashes; None if it is no
    file of the repository: it is outside, in another one, or its name is redacted."""
    master: str
    """The master file's path from the top: the file of a diagnostic without a position."""
    inventory: str
    """The inventory's path: the file of a diagnostic without a position, but with minions."""

    def find(self, position: Position | None) -> Position | None:
        """Return a position with a path from the top; None if it is not in the repository."""
        path = None if position is None else self.locate(position.file)
        return None if path is None else Position(path, position.line if position else None)

    def placeholder(self, diagnostic: Diagnostic) -> Position:
        """Return a position in the repository, if need be one that stands for it.

        The services that take only findings with a position take a line from 1 on.
        """
        found = self.find(diagnostic.position)
        if found is None:
            return Position(self.inventory if diagnostic.minions else self.master, 1)
        return Position(found.file, max(1, found.line or 1))

    def describe(self, diagnostic: Diagnostic) -> str:
        """Return the message, after the position if that is not in the repository."""
        position = diagnostic.position
        if position is None or self.find(position) is not None:
            return diagnostic.message
        return f"{position}: {diagnostic.message}"


def take_fingerprints(diagnostics: Sequence[Diagnostic], paths: RepositoryPaths) -> list[str]:
    """Return the fingerprint of each diagnostic, all different.

    It is made of rule, file and message, without lines, so that it stays when a file grows above
    the finding. If these are equal, findings are numbered in their order.
    """
    met: Counter[tuple[str, str, str]] = Counter()
    found = []
    for one in diagnostics:
        file = paths.find(one.position) or one.position
        known = (one.code, file.file if file else "", _LINE.sub("", one.message))
        text = json.dumps([*known, met[known]])  # in ASCII, whatever a message holds
        found.append(hashlib.sha256(text.encode()).hexdigest()[:_DIGITS])
        met[known] += 1
    return found
