"""The pages that pillarbook writes, in the form that MkDocs needs.

MkDocs makes such a page from a file without content, so Python-Markdown never reads the data. The
content is added at the page's turn in MkDocs' loop, and removed after it is written.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import TableOfContents

from pillarbook.report.addresses import Page as ReportPage
from pillarbook.report.search_entries import SitePage
from pillarbook.report.value_html import make_visible

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

HOME_TITLE = "Home"
"""The title of a home page without a hand-written file, as in MkDocs."""
HIDDEN = ("toc",)
"""A page of the report has no table of contents; material would leave a column free for it."""
LOG = logging.getLogger(__name__)
"""Outside of MkDocs' own loggers, whose warnings count as faults in strict mode."""


class WrittenPage(Page):
    """A page with content that is not Markdown.

    It is never in MkDocs' automatic navigation, where each minion's page would list all others.
    """

    def __init__(self, entry: ReportPage, config: "MkDocsConfig") -> None:
        file = File.generated(
            config, source_of(entry), content="", inclusion=InclusionLevel.NOT_IN_NAV
        )
        title = HOME_TITLE if entry.kind == "home" else entry.title
        # Themes print titles unescaped, because MkDocs gives them HTML.
        super().__init__(escape(make_visible(title)), file, config)

    def read_source(self, config: "MkDocsConfig") -> None:  # noqa: ARG002 (MkDocs passes it)
        """Read nothing, because there is no source file."""
        self.markdown = ""
        self.meta = {"hide": HIDDEN}

    def render(self, config: "MkDocsConfig", files: Files) -> None:  # noqa: ARG002 (MkDocs passes them)
        """Render nothing, because the content is added later."""
        self.content = ""
        self.toc = TableOfContents([])
        self.present_anchor_ids = None


def source_of(entry: ReportPage) -> str:
    """Return the file from which MkDocs makes a page of the report."""
    return f"{entry.uri.removesuffix('.html')}.md"


def add_pages(
    entries: Sequence[ReportPage], files: Files, config: "MkDocsConfig"
) -> dict[str, ReportPage]:
    """Add the report's pages to the files of a site.

    A hand-written home page stays, and gets the content of the report's after its own. Other files
    at the address of a page of the report are left out. The result has the pages of the report by
    the files that MkDocs makes them from, in the given order.
    """
    taken = {file.dest_uri: file for file in files}
    added: dict[str, ReportPage] = {}
    for entry in entries:
        other = taken.get(entry.uri)
        if other is not None and entry.kind == "home" and _is_page(other):
            added[other.src_uri] = entry
            continue
        if other is not None:
            LOG.warning("%s is left out: the report has a page %s", other.src_uri, entry.uri)
            files.remove(other)
        file = WrittenPage(entry, config).file
        files.append(file)
        added[file.src_uri] = entry
    return added


def add_later(
    entries: Sequence[ReportPage], written: Sequence[File], config: "MkDocsConfig"
) -> dict[str, ReportPage]:
    """Add pages while MkDocs writes the existing ones; return those added, by their files."""
    added: dict[str, ReportPage] = {}
    taken = {file.dest_uri: file for file in written} if entries else {}
    for entry in entries:
        if entry.uri in taken:
            LOG.warning(
                "%s is left out: the report has a page %s", taken[entry.uri].src_uri, entry.uri
            )
        page = WrittenPage(entry, config)
        page.read_source(config)
        page.render(config, Files([]))
        assert isinstance(written, list)  # noqa: S101 (else they would never be written)
        written.append(page.file)
        added[page.file.src_uri] = entry
    return added


def describe_page(page: Page) -> SitePage:
    """Return what the search box finds of a hand-written page."""
    found = [one for top in page.toc for two in top.children for one in (two, *two.children)]
    headings = [(str(one.title), str(one.id)) for one in found]
    return SitePage(str(page.title), page.url, headings)


def find_guide(files: Files) -> dict[str, str]:
    """Return the hand-written pages that have the names of pages of the guide."""
    return {file.src_uri.removesuffix(".md"): file.dest_uri for file in files.documentation_pages()}


def put_last(entries: Mapping[str, ReportPage], files: Files) -> None:
    """Let MkDocs write the report's pages after all others, and in the report's order."""
    for file in list(_find(entries, files)):
        files.remove(file)
        files.append(file)


def _find(entries: Mapping[str, ReportPage], files: Files) -> Iterator[File]:
    for source in entries:
        file = files.get_file_from_path(source)
        if file is not None:
            yield file


def _is_page(file: File) -> bool:
    # MkDocs' own function for it has no types.
    left_out = (InclusionLevel.EXCLUDED, InclusionLevel.DRAFT)
    return file.is_documentation_page() and file.inclusion not in left_out
