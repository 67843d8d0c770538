"""Minions' pages that several processes have written, before MkDocs frames them.

MkDocs has one loop over all pages, and other plugins see each page there. So the slow part is done
by all processes, which write the contents into a folder beside the pages; one process frames them.
The contents of one process are one file: a file for each page would take as long as framing it.
"""

import hashlib
import json
import os
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeAlias

from pillarbook.model.limited_cache import RecentCache
from pillarbook.report.addresses import Page
from pillarbook.report.page_parts import MIN_MINIONS, PagePart, SharedPart, fill, share_part
from pillarbook.report.report import Report

MINION_PAGES = ("minion", "minion-states")
"""The kinds of pages that several processes write."""
FOLDER = ".pillarbook-parts"
"""The folder in an unfinished site; MkDocs treats no file with such a name as a page."""
CONTENTS = "contents-"
"""What the names of the files of contents begin with."""
_OWN_LINK = re.compile(r'(?<=href=")#(k-[^".]*)')
"""A link to a row of the same page, up to the first key."""
MAX_KNOWN = 2_000
"""Parts whose digest is kept."""
Span: TypeAlias = tuple[str, int, int]
"""A piece of a file: its name, the first byte, the length."""


class WrittenPages(NamedTuple):
    """Where the contents are that one process has written."""

    pages: dict[tuple[int, str], tuple[Span, tuple[bytes, ...]]]
    """By the number and kind of a page: its content, and the digests of its parts."""
    parts: dict[bytes, Span]


class MinionParts:
    """The contents of pages, and the files beside them."""

    def __init__(self, site: Path, *, shares: bool) -> None:
        self.folder = site / FOLDER
        """Where they are."""
        self.shares = shares
        """Whether a part that many minions have gets a page of its own."""
        self._written = WrittenPages({}, {})
        self._shared: dict[bytes, SharedPart] = {}
        self._open: dict[str, int] = {}

    def write(self, report: Report, ranks: Sequence[int]) -> tuple[WrittenPages, Any]:
        """Write the contents of some minions' pages; return where they are, and what was gathered.

        Both are for another process, with ``take`` and the report.
        """
        self.folder.mkdir(exist_ok=True)
        written = WrittenPages({}, {})
        name = f"{CONTENTS}{secrets.token_hex(8)}"  # another machine may have this process id
        with (self.folder / name).open("wb") as file:
            out = _Contents(name, file, written.parts)
            for page in (page for rank in ranks for page in report.pages_of(rank)):
                content = report.write_parted(page)
                digests = tuple(map(out.put_part, content.parts)) if self.shares else ()
                text = content.text if self.shares else content.html
                written.pages[page.number, page.kind] = out.put(text), digests
                for address, beside in report.beside(page).items():
                    self._part(page, Path(address).suffix).write_bytes(encode(beside))
        self.take(written)
        return written, report.give()

    def take(self, written: WrittenPages) -> None:
        """Learn where the contents are that a process has written."""
        self._written.pages.update(written.pages)
        self._written.parts.update(written.parts)

    def find_shared(self) -> list[SharedPart]:
        """Return the parts that have pages; once all minions are written."""
        minions: dict[bytes, list[int]] = {}
        for (number, _), (_, digests) in self._written.pages.items():
            for digest in digests:
                minions.setdefault(digest, []).append(number)
        self._shared = {
            digest: share_part(self._read_part(digest), digest, sorted(who))
            for digest, who in minions.items()
            if len(who) >= MIN_MINIONS
        }
        return sorted(self._shared.values(), key=lambda one: (one.title, one.address))

    def read_rows(self, shared: SharedPart) -> str:
        """Return the rows of a part that has a page."""
        return self._read_part(shared.digest).html

    def read(self, page: Page) -> str:
        """Return the content of a minion's page."""
        span, digests = self._written.pages[page.number, page.kind]
        text, rows, elsewhere = self._read(span), [], {}
        for digest in digests:
            shared = self._shared.get(digest)
            rows.append(self._read_part(digest).html if shared is None else shared.row)
            if shared is not None:
                elsewhere[shared.anchor] = f"../{shared.address}"
        return fill(_OWN_LINK.sub(partial(_lead_elsewhere, elsewhere), text), rows)

    def _read_part(self, digest: bytes) -> PagePart:
        title, html, row, anchor, columns = json.loads(self._read(self._written.parts[digest]))
        return PagePart(title, html, row, anchor, tuple(columns))

    def _read(self, span: Span) -> str:
        name, start, length = span
        if name not in self._open:
            self._open[name] = os.open(self.folder / name, os.O_RDONLY)
        return os.pread(self._open[name], length, start).decode("utf-8", "surrogatepass")

    def beside(self, page: Page) -> Iterator[tuple[str, Path]]:
        """Yield the address and path of each file beside a page, to be moved there."""
        if page.kind != "minion":
            return
        stem = page.uri.removesuffix(".html")
        for suffix in (".json", ".yaml"):
            yield f"{stem}{suffix}", self._part(page, suffix)

    def remove(self) -> None:
        """Remove the folder, which has only the contents after all pages were framed."""
        self.close()
        for file in self.folder.glob(f"{CONTENTS}*"):
            file.unlink()
        self.folder.rmdir()

    def close(self) -> None:
        """Close the files."""
        for descriptor in self._open.values():
            os.close(descriptor)
        self._open.clear()

    def _part(self, page: Page, suffix: str) -> Path:
        return self.folder / f"{page.number}-{page.kind}{suffix}"


class _Contents:
    """A file of contents, while it is written."""

    def __init__(self, name: str, file: BinaryIO, parts: dict[bytes, Span]) -> None:
        self._name = name
        self._file = file
        self._parts = parts
        # Minions that share a part share the object, until the report drops it.
        self._known: RecentCache[PagePart, bytes] = RecentCache(MAX_KNOWN)

    def put(self, text: str) -> Span:
        """Write a text, and return where it is."""
        return self._put(text.encode("utf-8", "surrogatepass"))

    def put_part(self, part: PagePart) -> bytes:
        """Write a part, if it was not written before, and return its digest."""
        digest: bytes | None = self._known.get(part)
        if digest is None:
            told = json.dumps((part.title, part.html, part.row, part.anchor, part.columns)).encode()
            digest = self._known[part] = hashlib.blake2b(told, digest_size=16).digest()
            if digest not in self._parts:
                self._parts[digest] = self._put(told)
        return digest

    def _put(self, content: bytes) -> Span:
        start = self._file.tell()
        self._file.write(content)
        return self._name, start, len(content)


def _lead_elsewhere(pages: Mapping[str, str], link: "re.Match[str]") -> str:
    return f"{pages.get(link[1], '')}{link[0]}"


def encode(text: str) -> bytes:
    """Return a text in UTF-8; other characters are written with a backslash, as in JSON."""
    return text.encode("utf-8", "backslashreplace")
