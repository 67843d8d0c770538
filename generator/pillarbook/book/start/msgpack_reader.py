"""Reads msgpack, in which a master's minion data cache is written; nothing in it is run.

Source: the msgpack specification; Salt ``salt/payload.py`` (dates are the extension 78).
"""

import struct
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

DEEPEST = 200
"""Levels of mappings and lists."""


class MsgpackError(ValueError):
    """It is no msgpack, or ends too early."""


def read_msgpack(content: bytes) -> Any:
    """Return the first value of a text in msgpack; bytes become text where they are UTF-8.

    Raises:
        MsgpackError: It is no msgpack.
    """
    try:
        return _Reader(content).value(0)
    except (struct.error, IndexError, TypeError) as error:
        raise MsgpackError("it is no msgpack, or ends too early") from error


_NUMBERS: Mapping[int, str] = MappingProxyType(
    {
        0xCA: ">f",
        0xCB: ">d",
        0xCC: ">B",
        0xCD: ">H",
        0xCE: ">I",
        0xCF: ">Q",
        0xD0: ">b",
        0xD1: ">h",
        0xD2: ">i",
        0xD3: ">q",
    }
)
_LENGTHS: Mapping[int, tuple[str, str]] = MappingProxyType(
    {
        0xC4: ("bytes", ">B"),
        0xC5: ("bytes", ">H"),
        0xC6: ("bytes", ">I"),
        0xC7: ("extension", ">B"),
        0xC8: ("extension", ">H"),
        0xC9: ("extension", ">I"),
        0xD9: ("text", ">B"),
        0xDA: ("text", ">H"),
        0xDB: ("text", ">I"),
        0xDC: ("list", ">H"),
        0xDD: ("list", ">I"),
        0xDE: ("mapping", ">H"),
        0xDF: ("mapping", ">I"),
    }
)
_FIXED: Mapping[int, Any] = MappingProxyType({0xC0: None, 0xC2: False, 0xC3: True})


class _Reader:
    """A place in the bytes."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0

    def value(self, level: int) -> Any:
        """Read one value."""
        if level > DEEPEST:
            raise MsgpackError("it is nested too deep")
        sign = self._take(1)[0]
        if sign <= 0x7F or sign >= 0xE0:
            return sign if sign <= 0x7F else sign - 0x100
        if sign in _FIXED:
            return _FIXED[sign]
        if sign in _NUMBERS:
            return self._number(_NUMBERS[sign])
        kind, count = self._kind_and_count(sign)
        readers: Mapping[str, Callable[[int, int], Any]] = {
            "mapping": self._mapping,
            "list": self._list,
            "extension": self._extension,
            "text": self._text,
            "bytes": self._text,
        }
        return readers[kind](count, level + 1)

    def _kind_and_count(self, sign: int) -> tuple[str, int]:
        if sign <= 0x8F:
            return "mapping", sign & 0x0F
        if sign <= 0x9F:
            return "list", sign & 0x0F
        if sign <= 0xBF:
            return "text", sign & 0x1F
        if 0xD4 <= sign <= 0xD8:
            return "extension", 1 << (sign - 0xD4)
        if sign not in _LENGTHS:
            raise MsgpackError("it is no msgpack")
        kind, form = _LENGTHS[sign]
        return kind, int(self._number(form))

    def _take(self, count: int) -> bytes:
        piece = self._content[self._at : self._at + count]
        if len(piece) < count:
            raise MsgpackError("it ends too early")
        self._at += count
        return piece

    def _number(self, form: str) -> Any:
        return struct.unpack(form, self._take(struct.calcsize(form)))[0]

    def _text(self, count: int, _level: int) -> Any:
        piece = self._take(count)
        return piece.decode("utf-8", "replace")

    def _list(self, count: int, level: int) -> list[Any]:
        return [self.value(level) for _ in range(count)]

    def _mapping(self, count: int, level: int) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for _ in range(count):
            key = self.value(level)
            found[key] = self.value(level)
        return found

    def _extension(self, count: int, _level: int) -> str:
        self._take(1)  # which extension; Salt's are dates as text
        return self._take(count).decode("utf-8", "replace")
