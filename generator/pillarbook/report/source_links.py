"""Links from places of files to the lines on the pages of these files.

Put into the finished fragment of a page: places are written by many functions, and kept for many
pages, and none of these knows where a page lies.
"""

from collections.abc import Mapping
from functools import cached_property

from pillarbook.redact.source_files import SourceFile
from pillarbook.report.addresses import Page, source_address
from pillarbook.report.rows import link_places
from pillarbook.report.source import PillarSources

NOT_HERE = ("sls", "sls-index", "changes", "group")
"""Kinds of pages that link their places themselves, or name lines of another revision."""


class SourceLinks:
    """Links places, page by page.

    Args:
        sources: The files that have pages.
    """

    def __init__(self, sources: PillarSources) -> None:
        self._sources = sources

    @cached_property
    def _sls(self) -> Mapping[str, SourceFile]:
        # Only SLS files: which other files have a page is known when all minions are written.
        return {one.file: one for one in self._sources.files()}

    def address(self, file: str, line: int | None, root: str) -> str | None:
        """Return the address of a line of a file; None if the file has no page.

        Args:
            file: The file, as origins show it.
            line: The line; None for the file as a whole.
            root: How to get to the site's root.
        """
        source = self._sls.get(file)
        return None if source is None else source_address(source, root, line)

    def link(self, html: str, page: Page) -> str:
        """Return the fragment of a page with its places linked."""
        if page.kind in NOT_HERE or not self._sls:
            return html
        root = "../" * page.uri.count("/")
        return link_places(html, lambda file, line: self.address(file, line, root))
