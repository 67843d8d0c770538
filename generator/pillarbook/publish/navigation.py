"""The report's pages in a site's navigation, and titles that are text in every theme."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from pillarbook.publish.pages import WrittenPage

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure import StructureItem

_MARKUP = str.maketrans({"<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def show_as_text(title: str) -> str:
    """Return a title without markup; an existing character reference remains one.

    MkDocs treats every title as HTML. The title of a heading is HTML, but a title from the
    configuration or a file name is plain text.
    """
    return title.translate(_MARKUP)


def insert_pages(
    nav: Navigation, pages: Sequence[WrittenPage], config: "MkDocsConfig"
) -> Navigation:
    """Add all summaries of the report to a navigation, and return it.

    It stays the same object, because plugins recognise the one that they have seen.

    Pages that a configured ``nav`` names stay there, with the names that they have there; the
    others follow the home page, unless ``not_in_nav`` has them.
    """
    titles = dict(_list_titles(config.nav))
    for page in pages:
        given = titles.get(page.file.src_uri)
        if given is not None:
            page.title = show_as_text(given)
    named = set(map(id, nav.pages))
    hidden = config.not_in_nav
    missing = [
        page
        for page in pages
        if id(page) not in named and not (hidden and hidden.match_file(page.file.src_uri))
    ]
    missing.sort(key=lambda page: not page.is_homepage)
    home = nav.items.index(nav.homepage) + 1 if nav.homepage else 0
    items = [*nav.items[:home], *missing, *nav.items[home:]]
    for item in _walk(items):
        if not isinstance(item, Page) and item.title:
            item.title = show_as_text(item.title)
    nav.items = items
    nav.pages = _connect([item for item in _walk(items) if isinstance(item, Page)])
    nav.homepage = next((page for page in nav.pages if page.is_homepage), None)
    return nav


def _connect(pages: list[Page]) -> list[Page]:
    """Set the previous and the next page of each page."""
    for before, page, after in zip([None, *pages], pages, [*pages[1:], None], strict=False):
        page.previous_page, page.next_page = before, after
    return pages


def _walk(items: "Sequence[StructureItem]") -> "Iterator[Any]":
    for item in items:
        yield item
        yield from _walk(getattr(item, "children", None) or ())


def _list_titles(nav: Any) -> Iterator[tuple[str, str]]:
    """Yield the pages that a configured navigation names, and these names."""
    if isinstance(nav, Mapping):
        for title, below in nav.items():
            if isinstance(below, str):
                yield below, str(title)
            else:
                yield from _list_titles(below)
    elif isinstance(nav, list):
        for entry in nav:
            yield from _list_titles(entry)
