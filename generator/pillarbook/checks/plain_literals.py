"""Secrets that stand in the source of SLS files, whether a render gives them or not.

A template's literal, a comment, a branch that no minion takes: they are looked for by known forms
only, private keys and tokens, as text has no keys that would name them.
"""

from collections.abc import Collection, Iterator

from pillarbook.checks.finding import new_diagnostic
from pillarbook.diagnostics import Diagnostic
from pillarbook.model import Position
from pillarbook.patterns.token_patterns import find_in_source
from pillarbook.roots import FoundFile


class PlainLiterals:
    """Looks at each file that took part in a render, once."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, str]] = set()
        self._found: list[tuple[str, Position, str]] = []

    def take(self, found: FoundFile) -> None:
        """Look at a file; a second time says nothing new."""
        key = (found.full, found.digest)
        if key in self._seen:
            return
        self._seen.add(key)
        source = found.content.decode("utf-8", "replace")
        for reason, offset, text in find_in_source(source):
            line = source.count("\n", 0, offset) + 1
            self._found.append((reason, Position(found.shown, line), text))

    def find(self, judged: Collection[str]) -> Iterator[Diagnostic]:
        """Yield the literals that were not judged with their keys, that is, reported or allowed."""
        known = "\0".join(judged)
        places: dict[tuple[str, Position], None] = {}
        for reason, position, text in self._found:
            if text not in known:
                places[reason, position] = None
        for reason, position in places:
            yield new_diagnostic(
                "plain-secret",
                f"the source of this file holds a secret as plain text ({reason})",
                position,
                remedy="take it out, and change the secret itself: the repository remembers it",
            )
