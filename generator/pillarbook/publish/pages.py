"""Pages that pillarbook writes, as MkDocs wants to see them.

MkDocs makes such a page from a file that has no content; Python-Markdown never sees the data. The
content is put in when the page's turn comes in MkDocs' loop, and dropped when it is written.
"""

from html import escape
from typing import TYPE_CHECKING

from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import TableOfContents

from pillarbook.report import slug

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

FRONT = "index.html"
"""Where the front page goes."""


class WrittenPage(Page):
    """A page whose content is no Markdown."""

    def __init__(self, title: str, file: File, config: "MkDocsConfig") -> None:
        # Themes print titles as they are; MkDocs, too, gives them HTML.
        super().__init__(escape(title), file, config)

    def read_source(self, config: "MkDocsConfig") -> None:  # noqa: ARG002 (MkDocs passes it)
        """Have no source."""
        self.markdown = ""
        self.meta = {}

    def render(self, config: "MkDocsConfig", files: Files) -> None:  # noqa: ARG002 (MkDocs passes them)
        """Have no content yet."""
        self.content = ""
        self.toc = TableOfContents([])
        self.present_anchor_ids = None


class MinionPage(WrittenPage):
    """The page of one minion."""

    def __init__(self, minion: str, config: "MkDocsConfig") -> None:
        super().__init__(minion, _make_file(f"minions/{slug(minion)}.md", config), config)
        self.minion = minion
        """The minion's id."""


def add_minions(minions: "list[str]", files: Files, config: "MkDocsConfig") -> None:
    """Add a page a minion to the files of a site, outside its navigation.

    In the navigation each page would list all others.
    """
    for minion in minions:
        file = MinionPage(minion, config).file
        hand_written = files.get_file_from_path(file.src_uri)
        if hand_written is not None:
            files.remove(hand_written)
        files.append(file)


def add_front(files: Files, config: "MkDocsConfig") -> File:
    """Return the file of the front page; a site without one gets one."""
    for file in files.documentation_pages():
        if file.dest_uri == FRONT:
            return file
    file = _make_file("index.md", config, InclusionLevel.UNDEFINED)
    WrittenPage(config.site_name, file, config)
    files.append(file)
    return file


def _make_file(
    uri: str, config: "MkDocsConfig", inclusion: InclusionLevel = InclusionLevel.NOT_IN_NAV
) -> File:
    return File.generated(config, uri, content="", inclusion=inclusion)
