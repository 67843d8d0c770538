"""Minions' pages that several processes have written, until MkDocs frames them.

MkDocs has one loop over all pages, and other plugins see each of them there. So what takes the time
is written by all processes, page by page into a folder beside the pages, and one of them frames it.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pillarbook.report.addresses import Page
from pillarbook.report.report import Report

MINION_PAGES = ("minion", "minion-states")
"""The kinds of pages that are written so."""
FOLDER = ".pillarbook-parts"
"""The folder in a site that is not finished; MkDocs takes no file with such a name for a page."""


class MinionParts:
    """The contents of pages, and the files beside them.

    Args:
        site: The folder that the site is written into.
    """

    def __init__(self, site: Path) -> None:
        self._folder = site / FOLDER

    def write(self, report: Report, ranks: Sequence[int]) -> Any:
        """Write what is to be on the pages of some minions.

        Args:
            report: Writes the pages.
            ranks: The places of the minions in the inventory.

        Returns:
            What the report has gathered of them.
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
        """Return the content of a minion's page; it is let go."""
        part = self._part(page, ".html")
        content = part.read_bytes().decode("utf-8", "surrogatepass")
        part.unlink()
        return content

    def beside(self, page: Page) -> Iterator[tuple[str, Path]]:
        """Yield the address and the place of each file beside a page, to be moved there."""
        if page.kind != "minion":
            return
        stem = page.uri.removesuffix(".html")
        for suffix in (".json", ".yaml"):
            yield f"{stem}{suffix}", self._part(page, suffix)

    def close(self) -> None:
        """Remove the folder, which is empty once all pages were framed."""
        self._folder.rmdir()

    def _part(self, page: Page, suffix: str) -> Path:
        return self._folder / f"{page.number}-{page.kind}{suffix}"


def encode(text: str) -> bytes:
    """Return a text in UTF-8; what that lacks is written with a backslash, as JSON has it."""
    return text.encode("utf-8", "backslashreplace")
