"""The placeholders that readers were given, so that none of them is replaced again.

A placeholder has none of the letters and digits of its secret. So one that was drawn for a
placeholder would be drawn of the secret's own, and what is computed of it would be right now and
then, which is published for no difference. What readers print of a placeholder has neither its
mark nor its origin: it is known by its text.
"""

from collections.abc import Iterator
from typing import Any

SHORTEST = 6
"""Characters; a shorter one may be another secret by chance, which then would not be replaced."""


class GivenPlaceholders:
    """Placeholders by how they begin."""

    def __init__(self) -> None:
        self._texts: dict[str, set[str]] = {}

    def add(self, made: Any) -> None:
        """Note a placeholder, where it is one that nothing else is by chance."""
        text = as_printed(made)
        if len(text) >= SHORTEST:
            self._texts.setdefault(text[:SHORTEST], set()).add(text)

    def holds(self, value: Any) -> bool:
        """Say whether a value is one of them, white space around it aside."""
        text = as_printed(value)
        return text in self._texts.get(text[:SHORTEST], ())

    def split(self, text: str) -> Iterator[tuple[str, bool]]:
        """Yield the parts of a text, and of each whether it is a placeholder."""
        start = at = 0
        while self._texts and at + SHORTEST <= len(text):
            known = self._texts.get(text[at : at + SHORTEST], ())
            found = max((one for one in known if text.startswith(one, at)), key=len, default="")
            if found:
                yield text[start:at], False
                yield found, True
                start = at + len(found)
            at = max(at + 1, start)
        yield text[start:], False


def as_printed(value: Any) -> str:
    """Return a value as templates print it; a number may come back as text, and text as one."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape").strip()
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value.strip() if isinstance(value, str) else ""
