"""Reads git's index: the state of each file of the working tree when git last looked at it.

libgit2 does not return the time stamps of entries (docs/decisions/0012).

Source: git's manual, gitformat-index(5).
"""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

LARGEST = 256 * 1024 * 1024
"""The most bytes of an index that are read."""
CHECKSUM = 20
"""The number of bytes at the end."""
NO_ENTRIES: "Mapping[str, IndexEntry]" = MappingProxyType({})
_FIXED = struct.Struct(">10I20sH")
_HEADER = struct.Struct(">4sII")
_EXTENDED = 0x4000
_STAGE = 0x3000
_NAME = 0x0FFF
_LINK = b"link"
"""The extension of an index that is split in two files."""


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A file as git last saw it."""

    id: str
    """The id of the object with git's content of the file."""
    modified: tuple[int, int]
    """The time of the last write: seconds, and nanoseconds."""
    size: int
    """The number of bytes, modulo 2**32."""


def read_index(content: bytes) -> Mapping[str, IndexEntry]:
    """Return the files of an index by their paths; none if the format is unknown.

    Files in conflict are left out.
    """
    try:
        return MappingProxyType(_read(content))
    except (struct.error, IndexError, ValueError):
        return NO_ENTRIES


def _read(content: bytes) -> dict[str, IndexEntry]:
    signature, version, count = _HEADER.unpack_from(content)
    if signature != b"DIRC" or version not in {2, 3, 4}:
        return {}
    found: dict[str, IndexEntry] = {}
    at, name = _HEADER.size, b""
    for _ in range(count):
        fields = _FIXED.unpack_from(content, at)
        start, flags = at, fields[11]
        at += _FIXED.size + (2 if version > 2 and flags & _EXTENDED else 0)
        if version == 4:
            drop, at = _read_number(content, at)
            end = content.index(b"\0", at)
            name = name[: len(name) - drop] + content[at:end]
            at = end + 1
        else:
            end = content.index(b"\0", at + min(flags & _NAME, _NAME))
            name = content[at:end]
            at = start + (end - start + 8) // 8 * 8
        if not flags & _STAGE:
            path = name.decode("utf-8", "surrogateescape")
            found[path] = IndexEntry(fields[10].hex(), (fields[2], fields[3]), fields[9])
    return {} if _LINK in _extensions(content, at) else found


def _extensions(content: bytes, at: int) -> Iterator[bytes]:
    """Yield the names of the extensions between the entries and the checksum at the end."""
    while at + 8 <= len(content) - CHECKSUM:
        yield content[at : at + 4]
        at += 8 + int.from_bytes(content[at + 4 : at + 8], "big")


def _read_number(content: bytes, at: int) -> tuple[int, int]:
    """Return a number of variable length, and the offset of its end."""
    byte = content[at]
    number = byte & 0x7F
    while byte & 0x80:
        at += 1
        byte = content[at]
        number = ((number + 1) << 7) | (byte & 0x7F)
    return number, at + 1
