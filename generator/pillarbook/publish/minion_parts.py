"""Minions' pages that several processes have written, before MkDocs frames them.

MkDocs has one loop over all pages, and other plugins see each page there. So the slow part is done
by all processes, which write the contents into a folder beside the pages; one process frames them.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pillarbook.report.addresses import Page
from pillarbook.report.report import Report

MINION_PAGES = ("minion", "minion-states")
"""The kinds of pages that several processes write."""
FOLDER = ".pillarbook-parts"
"""The folder in an unfinished site; MkDocs treats no file with such a name as a page."""


class MinionParts:
    """The contents of pages, and the files beside them.

    Args:
        site: The folder that the site is written into.
    """

    def __init__(self, site: Path) -> None:
        self._folder = site / FOLDER

    def write(self, report: Report, ranks: Sequence[int]) -> Any:
        """Write the contents of some minions' pages.

        Args:
            report: Writes the pages.
            ranks: The positions of the minions in the inventory.

        Returns:
            The data that the report has gathered of them.
        """
        self._folder.mkdir(exist_ok=True)
        for page in (page for rank in ranks for page in report.pages_of(rank)):
            self._part(page, ".html").write_bytes(
                report.write(page).encode("utf-8", "surrogatepass")
            )
            for address, text in report.beside(page).items():
                self._part(page, Path(address).suffix).write_bytes(encode(text))
        return report.give()

    def read(self, page: Page) -> str:
        """Return the content of a minion's page, and remove it from the folder."""
        part = self._part(page, ".html")
        content = part.read_bytes().decode("utf-8", "surrogatepass")
        part.unlink()
        return content

    def beside(self, page: Page) -> Iterator[tuple[str, Path]]:
        """Yield the address and path of each file beside a page, to be moved there."""
        if page.kind != "minion":
            return
        stem = page.uri.removesuffix(".html")
        for suffix in (".json", ".yaml"):
            yield f"{stem}{suffix}", self._part(page, suffix)

    def close(self) -> None:
        """Remove the folder, which is empty after all pages were framed."""
        self._folder.rmdir()

    def _part(self, page: Page, suffix: str) -> Path:
        return self._folder / f"{page.number}-{page.kind}{suffix}"


def encode(text: str) -> bytes:
    """Return a text in UTF-8; other characters are written with a backslash, as in JSON."""
    return text.encode("utf-8", "backslashreplace")
