"""The placeholders that templates were given, so that no placeholder is replaced by another one.

A placeholder has none of the letters and digits of its secret. A placeholder of a placeholder could
have them again, so a value computed from it could equal the value computed from the secret. Then no
difference would be seen, and the value would be published. A placeholder that a template prints
has lost its mark and its origin, so it is recognized by its text.
"""

from collections.abc import Iterator
from typing import Any

SHORTEST = 6
"""Characters; a shorter one may equal another secret by chance, which must still be replaced."""


class GivenPlaceholders:
    """The given placeholders, by their first characters."""

    def __init__(self) -> None:
        self._texts: dict[str, set[str]] = {}

    def add(self, made: Any) -> None:
        """Note a placeholder, if it is long enough to differ from all other values."""
        text = as_printed(made)
        if len(text) >= SHORTEST:
            self._texts.setdefault(text[:SHORTEST], set()).add(text)

    def holds(self, value: Any) -> bool:
        """Say whether a value is a given placeholder; white space around it does not count."""
        text = as_printed(value)
        return text in self._texts.get(text[:SHORTEST], ())

    def split(self, text: str) -> Iterator[tuple[str, bool]]:
        """Yield the parts of a text, each with whether it is a placeholder."""
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
    """Return a value as templates print it; a number and its text are the same."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape").strip()
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value.strip() if isinstance(value, str) else ""
