"""The last step before a site is published: searches every byte of it for known secrets.

Every file is searched, of any type, and every name. Most lines of a report are on many pages, so
each line is searched only the first time. Nothing is missed: a secret within a line is found in
that line, and secrets of several lines are searched in whole files.
"""

# ruff: noqa: PTH113, PTH114, PTH115, PTH118, PTH122, PTH123
# Path objects for tens of thousands of files would be slow.

import gzip
import os
import re
import threading
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from pillarbook.diagnostics import PillarbookError
from pillarbook.redact.found_parts import Hit
from pillarbook.redact.leak_errors import Leak, UnsearchableError
from pillarbook.redact.secret_index import SecretIndex
from pillarbook.redact.secret_search import SecretSearch
from pillarbook.supervise.shared_work import Member, SharedWork

CHUNK = 16 * 2**20
"""The number of bytes of a file that are searched at a time."""
OVERLAP = 2**16
"""The number of bytes at the end of a chunk that are searched with the next one as well."""
# A file may hold itself, compressed; each layer is searched.
MAX_LAYERS = 5
"""The most times that a file may be compressed."""
# A few kilobytes can unpack to any size.
MAX_UNPACKED = 2**30
"""The most bytes of an unpacked file."""
# The number of lines has no limit; after this many bytes, new lines are searched each time.
MAX_SEEN = 64 * 2**20
"""The most bytes of lines that are kept."""
GZIP = b"\x1f\x8b"
JSON_BREAK = b', "'
"""The separator that splits the one line of a JSON file into pieces."""
MARKED_UP = (".html", ".htm", ".xhtml", ".svg", ".xml")
TAG = re.compile(rb"<[^<>\n]*>")
"""A tag, which may be within a word that a browser shows as one."""


def find_leaks(
    folder: Path, known: SecretIndex, kept: Iterable[Path] = (), processes: int = 1
) -> list[Leak]:
    """Return the first secret of each file of a site, and of each name.

    ``kept`` are files and folders elsewhere that will be part of the site; several processes share
    the files if this one has no other thread.

    Raises:
        UnsearchableError: A file is compressed so that it cannot be searched.
        OSError: A file cannot be read.
    """
    if not known:
        return []
    gate = _Gate(str(folder), known)
    # A fork has no other threads, but their locks. What is wrong is found again by one process.
    can_share = processes > 1 and threading.active_count() == 1
    is_clean = can_share and _is_clean(gate, processes)
    return [*(() if is_clean else gate.find(os.walk(folder))), *gate.find_in(kept)]


def _is_clean(gate: "_Gate", processes: int) -> bool:
    """Say whether a site has no secret; each process searches a share of every folder."""

    def search(member: Member) -> bool:
        try:
            return not any(True for _ in gate.find(_share(os.walk(gate.folder), member)))
        except (PillarbookError, OSError):
            return False

    with SharedWork(processes, watch=None) as shared:
        return all(shared.run(search))


def _share(
    walk: Iterable[tuple[str, list[str], list[str]]], member: Member
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield the steps of a walk, with the files that a process searches."""
    for place, folders, files in walk:
        files.sort()
        first, end = (len(files) * (member.rank + step) // member.count for step in (0, 1))
        yield place, folders, files[first:end]


@dataclass(slots=True)
class _Gate:
    """One walk through a site."""

    folder: str
    known: SecretIndex
    within: SecretSearch = field(init=False)
    """Searches within a line."""
    across: SecretSearch = field(init=False)
    """Searches for secrets over several lines."""
    json_break: bytes = field(init=False)
    """Splits JSON into pieces: no form of a secret contains it."""
    # Lines without a secret. Most lines of a report are on every page; a line that is not kept is
    # searched again.
    seen: dict[bytes, set[bytes]] = field(default_factory=dict)
    """Pieces without a secret, by the kind of search."""
    kept: int = 0
    """The number of their bytes."""

    def __post_init__(self) -> None:
        search = self.known.everything()
        self.within = search.only(lambda part, _: b"\n" not in part)
        self.across = search.only(
            lambda part, places: b"\n" in part and not all(map(self.known.has_lines, places)),
            hashes=False,
        )
        broken = any(JSON_BREAK in part for part, _ in self.within.forms)
        self.json_break = b"\n" if broken else JSON_BREAK

    def find_in(self, paths: Iterable[Path]) -> Iterator[Leak]:
        """Yield the leaks in some files and folders, without others beside them."""
        for path in paths:
            self.folder = str(path.parent)
            is_folder = path.is_dir() and not path.is_symlink()
            alone = (self.folder, [path.name], []) if is_folder else (self.folder, [], [path.name])
            yield from self.find([alone, *(os.walk(path) if is_folder else ())])

    def find(self, walk: Iterable[tuple[str, list[str], list[str]]]) -> Iterator[Leak]:
        """Yield the leaks in a walk through folders."""
        for place, folders, files in walk:
            folders.sort()
            files.sort()
            yield from self._look_at_names(place, folders, "folder")
            yield from self._look_at_names(place, files, "file")
            for name in files:
                yield from self._look_into(os.path.join(place, name))

    def _look_at_names(self, place: str, names: Sequence[str], what: str) -> Iterator[Leak]:
        """Yield the leaks in names of a folder, with the names above and the targets of links."""
        paths = [os.path.join(place, name) for name in names]
        shown = [self._raw_name(path) for path in paths]
        if self._first(b"\0".join(shown)) is None:
            return
        for path, raw in zip(paths, shown, strict=True):
            hit = self._first(raw)
            if hit is not None:
                where = f"the name of the {what} {self._shown(path)}"
                yield Leak(where, self.known.key_of(hit.secret_id))

    def _raw_name(self, path: str) -> bytes:
        raw = os.fsencode(path.removeprefix(self.folder).lstrip(os.sep))
        return raw + b"\0" + os.fsencode(os.readlink(path)) if os.path.islink(path) else raw

    def _first(self, data: bytes) -> Hit | None:
        return self.across.first(data) or self.within.first(data)

    def _look_into(self, file: str) -> Iterator[Leak]:
        """Yield the first secret of a file, compressed or not."""
        layers = 0
        while os.path.isfile(file):
            leak, begin = self._search_layer(file, layers)
            if leak is not None:
                yield leak
            if leak is not None or begin != GZIP:
                return
            layers += 1
            if layers > MAX_LAYERS:
                raise UnsearchableError(self._shown(file), "it is compressed too many times")

    def _search_layer(self, file: str, layers: int) -> tuple[Leak | None, bytes]:
        """Return the first secret of an unpacked file, and the first bytes of it."""
        begin, offset, before = b"", 0, b""
        for chunk in _unpack(file, layers):
            begin = begin or chunk[: len(GZIP)]
            if layers and offset > MAX_UNPACKED:
                raise UnsearchableError(self._shown(file), "it has more than 1 GiB")
            data = before + chunk if before else chunk
            found = self._search(data, os.path.splitext(file)[1].lower())
            if found is not None:
                at, place = found
                where = self._shown(file) + (", unpacked," if layers else "")
                return Leak(where, self.known.key_of(place), offset + at), begin
            before = data[-OVERLAP:]
            offset += len(data) - len(before)
        return None, begin

    def _search(self, data: bytes, suffix: str) -> tuple[int, int] | None:
        """Return the offset of the first secret in some bytes, and its number."""
        hit = self.across.first(data)
        if hit is not None:
            return hit.start, hit.secret_id
        is_marked_up = suffix in MARKED_UP
        edge = self.json_break if suffix == ".json" else b"\n"
        seen = self.seen.setdefault(edge + b"<" * is_marked_up, set())
        new = set(data.split(edge))
        new -= seen
        joined = edge.join((b"", *new, b""))
        if self.within.first(joined) is not None:
            hit = self.within.first(data)
            return None if hit is None else (hit.start, hit.secret_id)
        if is_marked_up and self.within.first(TAG.sub(b"", joined)) is not None:
            return self._search_text(data)
        if self.kept < MAX_SEEN:
            seen |= new
            self.kept += len(joined)
        return None

    def _search_text(self, data: bytes) -> tuple[int, int] | None:
        """Return the first secret in text as a browser shows it: tags may be within a word."""
        offset = 0
        for line in data.split(b"\n"):
            hit = self.within.first(TAG.sub(b"", line))
            if hit is not None:
                return offset, hit.secret_id
            offset += len(line) + 1
        return None

    def _shown(self, path: str) -> str:
        """Return the path of a file or folder within the site, without secrets."""
        name = path.removeprefix(self.folder).lstrip(os.sep)
        clean = self.known.clean(os.fsencode(name).decode("utf-8", "replace"))
        return "".join(
            sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in clean
        )


def _unpack(file: str, layers: int) -> Iterator[bytes]:
    """Yield a file, unpacked so many times; a broken one up to the fault."""
    with open(file, "rb") as raw:
        stream: IO[bytes] = raw
        for _ in range(layers):
            stream = gzip.GzipFile("", "rb", fileobj=stream)  # type: ignore[assignment]  # reads as any file
        # A buffer for a whole chunk would take longer than reading a page into it.
        most = min(CHUNK, os.fstat(raw.fileno()).st_size + 1)
        yield from iter(lambda: _read(stream) if layers else raw.read(most), b"")


def _read(stream: IO[bytes]) -> bytes:
    """Return the next unpacked chunk, up to a fault."""
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
