"""Links from places of files to the lines on the pages of these files, or to the repository's site.

Put into the finished fragment of a page: places are written by many functions, and kept for many
pages, and none of these knows where a page lies.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from pillarbook.model.limited_cache import RecentCache
from pillarbook.redact.source_files import SourceFile
from pillarbook.report.addresses import Page, source_address
from pillarbook.report.forge import Forge
from pillarbook.report.page_parts import PagePart
from pillarbook.report.places import link_places
from pillarbook.report.source import FilesOfCommit, PillarSources

NOT_HERE = ("sls", "sls-index", "section")
"""Kinds of pages that link their places themselves."""
# A link to a site elsewhere is some hundred bytes, and there is such a page for each minion. The
# pages of SLS files and keys have it.
WITHOUT_FORGE = ("minion", "minion-states")
"""Kinds of pages that link to pages of the report only."""
MAX_LINKED = 500
"""Parts of pages that are kept with their links, some 5 KB each."""


class ForgeLinks:
    """Finds lines of files on the site of their repository."""

    def __init__(self, forge: Forge | None, files: FilesOfCommit | None) -> None:
        self._forge = forge
        self._files = files

    def line_address(self, file: str, line: int | None) -> str | None:
        """Return the address of a line; None for a file that is not as the commit has it.

        Its lines may be others there, so it has no link rather than a wrong one.
        """
        if self._forge is None or self._files is None or self._files.commit is None:
            return None
        path = self._files.path_of(file)
        commit = self._files.commit
        return None if path is None else self._forge.line_address(commit, path, line)

    def commit_address(self, commit: str) -> str | None:
        """Return the address of a commit of the same repository."""
        return None if self._forge is None else self._forge.commit_address(commit)


class SourceLinks:
    """Links places, page by page.

    ``base`` finds lines of the revision that the report is compared with.
    """

    def __init__(self, sources: PillarSources, head: ForgeLinks, base: ForgeLinks) -> None:
        self._sources = sources
        self._head = head
        self._base = base
        self._linked: RecentCache[PagePart, PagePart] = RecentCache(MAX_LINKED)

    @cached_property
    def _sls(self) -> Mapping[str, SourceFile]:
        # Only SLS files: which other files have a page is known when all minions are written.
        return {one.file: one for one in self._sources.files()}

    def address(self, file: str, line: int | None, root: str) -> str | None:
        """Return the address of a line of a file; None if the file has no page."""
        source = self._sls.get(file)
        return None if source is None else source_address(source, root, line)

    def link(self, html: str, page: Page) -> str:
        """Return the fragment of a page with its places linked."""
        if page.kind in NOT_HERE:
            return html
        root = "../" * page.uri.count("/")
        has_forge = page.kind not in WITHOUT_FORGE

        def find(file: str, line: int | None) -> str | None:
            own = self.address(file, line, root)
            # What has no line may be no file, but anything that is code.
            if own is not None or line is None or not has_forge:
                return own
            return self._head.line_address(file, line)

        def find_before(file: str, line: int | None) -> str | None:
            return self._base.line_address(file, line) if line is not None else None

        return link_places(html, find, find_before)

    def link_part(self, part: PagePart, page: Page) -> PagePart:
        """Return a part of a minion's page with its places linked; shared ones once."""
        linked: PagePart | None = self._linked.get(part)
        if linked is None:
            html, row = self.link(part.html, page), self.link(part.row, page)
            linked = self._linked[part] = replace(part, html=html, row=row)
        return linked
