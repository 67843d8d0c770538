"""JSON, read by Python's C decoder except for the levels whose lines matter.

The upper levels of an inventory are walked member by member, which finds duplicate ids and the line
of each; the levels below are decoded in one go.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from json import JSONDecodeError, JSONDecoder
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from pillarbook.inventory.located_values import LocatedValue, gather_list, gather_mapping

_BLANKS = " \t\n\r"


class JsonStream:
    """One JSON document; a cursor is the offset in the text at which a value begins.

    Raises:
        json.JSONDecodeError: From every method.
        RecursionError: It nests too deeply.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._decoder = JSONDecoder()
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._at = 0

    def root(self) -> int | None:
        """Return a cursor to the start of the document, None for an empty one."""
        start = self._skip(0)
        return start if start < len(self._text) else None

    def finish(self) -> None:
        """Check that nothing follows the document."""
        end = self._skip(self._at)
        if end < len(self._text):
            raise JSONDecodeError("Extra data", self._text, end)

    def is_mapping(self, cursor: int) -> bool:
        """Say whether the value has ``members``."""
        return self._text.startswith("{", cursor)

    def members(self, cursor: int) -> Iterator[tuple[str, int, int]]:
        """Yield ``(key, line, cursor)`` of a mapping; read each cursor before the next."""
        for at in self._member_starts(cursor, "}"):
            if not self._text.startswith('"', at):
                message = "Expecting property name enclosed in double quotes"
                raise JSONDecodeError(message, self._text, at)
            key, end = scanstring(self._text, at + 1, True)
            colon = self._expect(":", end)
            yield key, self._line(at), self._skip(colon + 1)

    def plain(self, cursor: int) -> Any:
        """Return the data at a cursor."""
        value, self._at = self._decoder.raw_decode(self._text, cursor)
        return value

    def located(self, cursor: int) -> LocatedValue:
        """Return the data at a cursor with the line of every value in it."""
        line = self._line(cursor)
        if self.is_mapping(cursor):
            return gather_mapping(
                line, {key: self.located(below) for key, _, below in self.members(cursor)}
            )
        if self._text.startswith("[", cursor):
            return gather_list(line, map(self.located, self._member_starts(cursor, "]")))
        return LocatedValue(self.plain(cursor), {(): line})

    def _member_starts(self, cursor: int, end: str) -> Iterator[int]:
        """Yield the start of each member; the caller reads it before the next."""
        at = self._skip(cursor + 1)
        if not self._text.startswith(end, at):
            yield at
            at = self._skip(self._at)
        while not self._text.startswith(end, at):
            yield self._skip(self._expect(",", at) + 1)
            at = self._skip(self._at)
        self._at = at + 1

    def _expect(self, char: str, at: int) -> int:
        at = self._skip(at)
        if not self._text.startswith(char, at):
            raise JSONDecodeError(f"Expecting '{char}' delimiter", self._text, at)
        return at

    def _skip(self, at: int) -> int:
        text = self._text
        while at < len(text) and text[at] in _BLANKS:
            at += 1
        return at

    def _line(self, at: int) -> int:
        return bisect_right(self._starts, at)
