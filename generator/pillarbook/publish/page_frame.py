"""The frame that pages of minions share, taken from the first of them, and that of sections.

MkDocs' templates take longer to frame such a page than it takes to put the page between the parts
of a frame that is known. In pillarbook's own theme the frame of a minion's page differs from that
of another in the title only. This is not assumed: the second page is framed by MkDocs as well, and
if it is not as expected, MkDocs frames all of them.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from pillarbook.publish.minion_parts import MINION_PAGES
from pillarbook.report.templates import template_root

if TYPE_CHECKING:
    import jinja2
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.plugins import BasePlugin
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page

VARIABLE = "pillarbook_framed"
"""The name by which ``main.html`` of the theme knows a page that has its frame."""
EVENTS = ("env", "page_context", "post_page")
"""Events in which other plugins can change how a page is framed."""
TEMPLATES = ("main.html", "base.html")


class PageFrame:
    """Frames pages that are alike; one object for a build.

    Pages in the navigation are framed by MkDocs, because they have neighbours.
    """

    def __init__(self, nav: "Navigation") -> None:
        self._in_nav = frozenset(map(id, nav.pages))
        self._parts: tuple[str, str, str] | None = None
        self._is_proven = False
        self._is_of_use = True

    def frame(self, page: "Page", content: str) -> str | None:
        """Return a page with its frame; None if MkDocs has to frame it."""
        return self._put_together(page, content) if self._is_proven and self._fits(page) else None

    def learn(self, page: "Page", content: str, output: str) -> None:
        """Look at a page that MkDocs has framed."""
        if self._is_proven or not self._is_of_use or not self._fits(page):
            return
        if self._parts is None:
            head, found, tail = output.partition(content)
            before, title, after = head.partition(f"<title>{_title_of(page)}")
            self._parts = before, after, tail
            self._is_of_use = bool(content and found and title)
        else:
            self._is_proven = self._is_of_use = self._put_together(page, content) == output

    def _fits(self, page: "Page") -> bool:
        return id(page) not in self._in_nav and "template" not in page.meta

    def _put_together(self, page: "Page", content: str) -> str:
        assert self._parts is not None  # noqa: S101 (learnt before)
        before, after, tail = self._parts
        return f"{before}<title>{_title_of(page)}{after}{content}{tail}"


def find_frames(
    env: "jinja2.Environment",
    config: "MkDocsConfig",
    nav: "Navigation | None",
    plugin: "BasePlugin[Any]",
) -> dict[str, PageFrame]:
    """Return what frames pages by their kinds; nothing if pillarbook alone may not decide it."""
    if nav is None:
        return {}
    own = (template_root() / "theme").resolve()
    files = [env.get_template(name).filename for name in TEMPLATES]
    if any(file is None or Path(file).resolve().parent != own for file in files):
        return {}
    others = (method for event in EVENTS for method in config.plugins.events[event])
    if any(getattr(method, "__self__", None) is not plugin for method in others):
        return {}
    return {**dict.fromkeys(MINION_PAGES, PageFrame(nav)), "section": PageFrame(nav)}


def _title_of(page: "Page") -> str:
    """Return the title as the template writes it."""
    return escape(Markup(page.title).striptags())  # noqa: S704 (escaped after that)
