"""The last step before a site is published: no byte of it may hold a secret that is known.

Every file is searched, whatever its type, and every name. Most of a report's lines stand on many
pages, so each line is searched where it is met first. That loses nothing: what is looked for within
lines lies in one of them, and what goes over the end of a line is looked for in whole files.
"""

import gzip
import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from pillarbook.redact.known import KnownSecrets
from pillarbook.redact.leaks import Leak, UnsearchableError
from pillarbook.redact.search import SecretSearch

CHUNK = 16 * 2**20
"""Bytes of a file that are looked at in one go."""
OVERLAP = 2**16
"""Bytes at the end of a chunk that are looked at with the next one as well."""
MOST_LAYERS = 5
"""How often a file may be compressed over and over."""
MOST_UNPACKED = 2**30
"""Bytes that a compressed file may come to."""
MOST_SEEN = 64 * 2**20
"""Bytes of lines that are remembered."""
GZIP = b"\x1f\x8b"
JSON_BREAK = b', "'
"""What breaks the one line of a JSON file into pieces."""
MARKED_UP = (".html", ".htm", ".xhtml", ".svg", ".xml")
TAG = re.compile(rb"<[^<>\n]*>")
"""What may stand within a word that a browser shows as one."""


def find_leaks(folder: Path, known: KnownSecrets) -> list[Leak]:
    """Return the first secret of each file of a site, and of each name.

    Args:
        folder: The site.
        known: What to look for.

    Raises:
        UnsearchableError: A file is compressed so that it cannot be searched.
        OSError: A file cannot be read.
    """
    search = known.everything()
    return list(_Gate(folder, known, search).find()) if search else []


@dataclass(slots=True)
class _Gate:
    """One walk through a site."""

    folder: Path
    known: KnownSecrets
    search: SecretSearch
    within: SecretSearch = field(init=False)
    """What lies within a line."""
    across: SecretSearch = field(init=False)
    """What goes over the end of one."""
    json_break: bytes = field(init=False)
    """What breaks JSON into pieces: no form that is looked for holds it."""
    seen: dict[bytes, set[bytes]] = field(default_factory=dict)
    """Pieces without a secret, by the way in which they were looked at."""
    kept: int = 0
    """Bytes of them."""

    def __post_init__(self) -> None:
        self.within = self.search.only(lambda part, _: b"\n" not in part)
        self.across = self.search.only(
            lambda part, places: b"\n" in part and not all(map(self.known.has_lines, places))
        )
        broken = any(JSON_BREAK in part for part, _ in self.within.forms)
        self.json_break = b"\n" if broken else JSON_BREAK

    def find(self) -> Iterator[Leak]:
        for place, folders, files in os.walk(self.folder):
            folders.sort()
            for name in folders:
                yield from self._look_at_name(Path(place, name), "folder")
            for name in sorted(files):
                file = Path(place, name)
                yield from self._look_at_name(file, "file")
                yield from self._look_into(file)

    def _look_at_name(self, path: Path, what: str) -> Iterator[Leak]:
        raw = os.fsencode(path.relative_to(self.folder))
        if path.is_symlink():
            raw += b"\0" + os.fsencode(path.readlink())
        hit = self.search.first(raw)
        if hit is not None:
            where = f"the name of the {what} {self._shown(path)}"
            yield Leak(where, self.known.key_of(hit.place))

    def _look_into(self, file: Path) -> Iterator[Leak]:
        """Yield the first secret of a file, compressed or not."""
        shown = self._shown(file)
        layers = 0
        while file.is_file():
            where = f"{shown}, unpacked," if layers else shown
            leak, begin = self._search_layer(file, layers, where)
            if leak is not None:
                yield leak
            if leak is not None or begin != GZIP:
                return
            layers += 1
            if layers > MOST_LAYERS:
                raise UnsearchableError(shown, "it is compressed again and again")

    def _search_layer(self, file: Path, layers: int, where: str) -> tuple[Leak | None, bytes]:
        """Return the first secret of what a file unpacks to, and how that begins."""
        begin, offset, before = b"", 0, b""
        for chunk in _unpack(file, layers, where):
            begin = begin or chunk[: len(GZIP)]
            data = before + chunk if before else chunk
            found = self._search(data, file.suffix.lower())
            if found is not None:
                at, place = found
                return Leak(where, self.known.key_of(place), offset + at), begin
            before = data[-OVERLAP:]
            offset += len(data) - len(before)
        return None, begin

    def _search(self, data: bytes, suffix: str) -> tuple[int, int] | None:
        """Return where the first secret begins in some bytes, and its place number."""
        hit = self.across.first(data)
        if hit is not None:
            return hit.start, hit.place
        is_marked_up = suffix in MARKED_UP
        edge = self.json_break if suffix == ".json" else b"\n"
        seen = self.seen.setdefault(edge + b"<" * is_marked_up, set())
        new = set(data.split(edge))
        new -= seen
        joined = edge.join((b"", *new, b""))
        if self.within.first(joined) is not None:
            hit = self.within.first(data)
            return None if hit is None else (hit.start, hit.place)
        if is_marked_up and self.within.first(TAG.sub(b"", joined)) is not None:
            return self._search_text(data)
        if self.kept < MOST_SEEN:
            seen |= new
            self.kept += len(joined)
        return None

    def _search_text(self, data: bytes) -> tuple[int, int] | None:
        """Return the same of what a browser shows, where tags may stand within a word."""
        offset = 0
        for line in data.split(b"\n"):
            hit = self.within.first(TAG.sub(b"", line))
            if hit is not None:
                return offset, hit.place
            offset += len(line) + 1
        return None

    def _shown(self, path: Path) -> str:
        name = self.known.clean(
            os.fsencode(path.relative_to(self.folder)).decode("utf-8", "replace")
        )
        return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in name)


def _unpack(file: Path, layers: int, where: str) -> Iterator[bytes]:
    """Yield what a file comes to, unpacked so many times; a broken one as far as it goes."""
    with file.open("rb") as raw:
        stream: IO[bytes] = raw
        for _ in range(layers):
            stream = gzip.GzipFile("", "rb", fileobj=stream)  # type: ignore[assignment]  # reads as any file
        total = 0
        for chunk in iter(lambda: _read(stream) if layers else raw.read(CHUNK), b""):
            total += len(chunk)
            if layers and total > MOST_UNPACKED:
                raise UnsearchableError(where, "it comes to more than 1 GiB")
            yield chunk


def _read(stream: IO[bytes]) -> bytes:
    """Return the next chunk of what is unpacked, up to where it is broken."""
    parts: list[bytes] = []
    size = 0
    while size < CHUNK:
        try:
            part = stream.read1(CHUNK)  # type: ignore[attr-defined]  # all of these have it
        except (EOFError, gzip.BadGzipFile, zlib.error):
            break
        if not part:
            break
        parts.append(part)
        size += len(part)
    return b"".join(parts)
