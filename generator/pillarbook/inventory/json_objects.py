"""The objects of a stream of JSON, read member by member in bounded memory.

``salt --out=json`` prints one object after the other as minions answer, or a single one with
``--static``: hundreds of megabytes for a large fleet. Only one member is in memory at a time.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder
from typing import Any, BinaryIO

from pillarbook.diagnostics import PillarbookError

CHUNK = 1 << 20
"""The least number of bytes to read at a time."""
MAX_WORD = 16
"""The most characters between a syntax error and the end of a chunk that may have caused it."""
OPEN_TEXT = "Unterminated string"
"""How Python's message for a string without an end begins."""
CUT = "ends in the middle of an object; was the command interrupted?"
_BLANKS = re.compile(r"[ \t\r\n]*")
_NO_NOISE = frozenset('"}],:[')
"""The first characters of a line that is JSON, and not a message of Salt between two objects."""


class DumpError(PillarbookError):
    """The dump cannot be read; the error has line and reason."""

    def __init__(self, shown: str, line: int | None, reason: str) -> None:
        super().__init__(f"{shown}: {reason}" if line is None else f"{shown}:{line}: {reason}")


@dataclass(frozen=True, slots=True)
class JsonMember:
    """A member of one of the objects."""

    key: str
    """Its key."""
    value: Any
    """Its data."""
    line: int
    """The line of its key, counted from 1."""


class JsonObjects:
    """A stream of JSON objects in UTF-8; other lines between them are skipped.

    Errors name it as ``shown``.
    """

    def __init__(self, stream: BinaryIO, shown: str) -> None:
        self._stream = stream
        self._shown = shown
        self._decode = codecs.getincrementaldecoder("utf-8-sig")()
        self._decoder = JSONDecoder()
        self._text = ""
        self._at = 0
        self._passed_lines = 0
        self._ended = False
        self.objects = 0
        """The number of objects read."""
        self.empty = 0
        """The number of objects without members; Salt prints ``{}`` for data that is not JSON."""
        self.noise = 0
        """The number of skipped lines."""

    def members(self) -> Iterator[JsonMember]:
        """Yield the members of all objects, one after the other.

        Raises:
            DumpError: The stream is broken, or is not such JSON.
        """
        while self._skip_to_object():
            self._at += 1
            self.objects += 1
            yield from self._object()

    def _object(self) -> Iterator[JsonMember]:
        if self._peek() == "}":
            self._at += 1
            self.empty += 1
            return
        while True:
            line = self._line()
            if self._peek() != '"':
                raise self._fault("is not JSON: a key in double quotes is needed")
            key = self._value()
            if self._peek() != ":":
                raise self._fault("is not JSON: a colon is needed behind a key")
            self._at += 1
            self._peek()
            yield JsonMember(key, self._value(), line)
            after = self._peek()
            self._at += 1
            if after == "}":
                return
            if after != ",":
                self._at -= 1
                raise self._fault("is not JSON: a comma or the end of the object is needed")
            self._peek()

    def _skip_to_object(self) -> bool:
        """Go to the start of the next object; say whether there is one."""
        while True:
            fresh = self._skip_blanks()
            if self._at >= len(self._text):
                return False
            char = self._text[self._at]
            if char == "{":
                return True
            if char in _NO_NOISE or not (fresh or self.objects == 0):
                raise self._fault("is not a stream of JSON objects as `salt --out=json` prints it")
            self.noise += 1
            self._skip_line()

    def _skip_line(self) -> None:
        while True:
            end = self._text.find("\n", self._at)
            if end >= 0:
                self._at = end
                return
            self._at = len(self._text)
            if not self._fill():
                return

    def _skip_blanks(self) -> bool:
        """Go to the next character that is not blank; say whether a line ended before it."""
        fresh = False
        while True:
            found = _BLANKS.match(self._text, self._at)
            end = found.end() if found else self._at
            fresh = fresh or "\n" in self._text[self._at : end]
            self._at = end
            if end < len(self._text) or not self._fill():
                return fresh

    def _peek(self) -> str:
        """Return the next character within an object."""
        self._skip_blanks()
        if self._at >= len(self._text):
            raise self._fault(CUT)
        return self._text[self._at]

    def _value(self) -> Any:
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except JSONDecodeError as error:
                pos = error.pos - self._at
                is_near = error.pos >= len(self._text) - MAX_WORD
                if (is_near or error.msg.startswith(OPEN_TEXT)) and self._fill():
                    continue
                raise self._wrong(error, pos) from error
            except RecursionError as error:
                raise self._fault("is nested too deeply") from error
            except ValueError as error:
                raise self._fault("holds a number that is too long") from error
            length = end - self._at
            if len(self._text) - end < len("e+1") and self._fill():
                continue  # a number may continue
            self._at += length
            return value

    def _wrong(self, error: JSONDecodeError, pos: int) -> DumpError:
        rest = self._text[self._at :].rstrip()
        if self._ended and (pos >= len(rest) or error.msg.startswith(OPEN_TEXT)):
            return self._fault(CUT)
        self._at += pos
        return self._fault(f"is not JSON: {error.msg}")

    def _fill(self) -> bool:
        """Read on, and drop the text before the current offset; say whether there was more."""
        if self._ended:
            return False
        rest = len(self._text) - self._at
        self._passed_lines += self._text.count("\n", 0, self._at)
        # As much as is held, so that a long member takes at most twice its length of memory.
        raw = self._stream.read(max(CHUNK, rest))
        self._ended = not raw
        try:
            more = self._decode.decode(raw, final=self._ended)
        except UnicodeDecodeError as error:
            raise DumpError(self._shown, None, "is not UTF-8") from error
        self._text = self._text[self._at :] + more
        self._at = 0
        return bool(more) or (not self._ended and self._fill())

    def _line(self) -> int:
        return self._passed_lines + self._text.count("\n", 0, self._at) + 1

    def _fault(self, reason: str) -> DumpError:
        return DumpError(self._shown, self._line(), f"the dump {reason}")
