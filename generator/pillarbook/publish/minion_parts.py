"""Minions' pages that several processes have written, before MkDocs frames them.

MkDocs has one loop over all pages, and other plugins see each page there. So the slow part is done
by all processes, which write the contents into a folder beside the pages; one process frames them.
The contents of one process are one file: a file for each page would take as long as framing it.
"""

import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from pillarbook.report.addresses import Page
from pillarbook.report.report import Report

MINION_PAGES = ("minion", "minion-states")
"""The kinds of pages that several processes write."""
FOLDER = ".pillarbook-parts"
"""The folder in an unfinished site; MkDocs treats no file with such a name as a page."""
CONTENTS = "contents-"
"""What the names of the files of contents begin with."""
Places: TypeAlias = Mapping[tuple[int, str], tuple[str, int, int]]
"""Where the content of a page is, by its number and kind: the file, the first byte, the length."""


class MinionParts:
    """The contents of pages, and the files beside them.

    Args:
        site: The folder that the site is written into.
    """

    def __init__(self, site: Path) -> None:
        self.folder = site / FOLDER
        """Where they are."""
        self._places: dict[tuple[int, str], tuple[str, int, int]] = {}
        self._open: dict[str, int] = {}

    def write(self, report: Report, ranks: Sequence[int]) -> tuple[Places, Any]:
        """Write the contents of some minions' pages.

        Args:
            report: Writes the pages.
            ranks: The positions of the minions in the inventory.

        Returns:
            Where they are, for ``take`` in another process, and what the report has gathered.
        """
        self.folder.mkdir(exist_ok=True)
        places: dict[tuple[int, str], tuple[str, int, int]] = {}
        name = f"{CONTENTS}{secrets.token_hex(8)}"  # another machine may have this process id
        with (self.folder / name).open("wb") as file:
            for page in (page for rank in ranks for page in report.pages_of(rank)):
                content = report.write(page).encode("utf-8", "surrogatepass")
                places[page.number, page.kind] = (name, file.tell(), len(content))
                file.write(content)
                for address, text in report.beside(page).items():
                    self._part(page, Path(address).suffix).write_bytes(encode(text))
        self.take(places)
        return places, report.give()

    def take(self, places: Places) -> None:
        """Learn where the contents are that a process has written."""
        self._places.update(places)

    def read(self, page: Page) -> str:
        """Return the content of a minion's page."""
        name, start, length = self._places[page.number, page.kind]
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


def encode(text: str) -> bytes:
    """Return a text in UTF-8; other characters are written with a backslash, as in JSON."""
    return text.encode("utf-8", "backslashreplace")
