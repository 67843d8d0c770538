"""All pages of the report, written one after the other.

Minions come first: each is compiled, compared and written, and leaves behind a line for the pages
that sum up the fleet.
"""

from collections.abc import Mapping
from types import MappingProxyType

import jinja2

from pillarbook.compare import Comparer
from pillarbook.report.addresses import Page, plan_pages
from pillarbook.report.book import Book
from pillarbook.report.diagnostics import write_diagnostics
from pillarbook.report.environments import write_environments, write_pair
from pillarbook.report.fleet import Fleet
from pillarbook.report.home import write_home
from pillarbook.report.minion import MinionPages
from pillarbook.report.minions import write_index, write_list
from pillarbook.report.pair_json import write_pair_json
from pillarbook.report.sides import MinionSides, gather_sides

NO_GUIDE: Mapping[str, str] = MappingProxyType({})


class Report:
    """Writes the pages of a book.

    Args:
        book: The result of a run.
        templates: The environment of page templates.
        guide: Where the site explains the rules of diagnostics: addresses by code, as seen from
            the site's root.
    """

    def __init__(
        self, book: Book, templates: jinja2.Environment, guide: Mapping[str, str] = NO_GUIDE
    ) -> None:
        self._book = book
        self._templates = templates
        self._guide = guide
        self._pages = plan_pages(book)
        self._lists = sum(page.kind == "minions" for page in self._pages)
        self._minion_pages = MinionPages(book, templates, guide)
        self._comparer = Comparer()
        self._fleet = Fleet(book.environments)
        self._last: tuple[Page, MinionSides] | None = None

    @property
    def pages(self) -> tuple[Page, ...]:
        """Every page in the order to write them: minions in inventory order, then the rest."""
        return self._pages

    def write(self, page: Page) -> str:
        """Return a page's content from its first heading on.

        The home page begins with an ``h2``: words of the site's own may stand above it.

        Raises:
            RevealedPillarError: A pillar shows its secrets.
        """
        match page.kind:
            case "minion":
                return self._write_minion(page)
            case "minions":
                return write_list(self._fleet, page.number, self._templates)
            case "environments":
                return write_environments(self._fleet, self._templates)
            case "pair":
                return write_pair(self._fleet, page.number, self._book.token, self._templates)
            case "diagnostics":
                found = self._book.diagnostics
                return write_diagnostics(found, self._guide, self._templates)
            case "home":
                return write_home(self._fleet, self._book.diagnostics, self._templates)

    def beside(self, page: Page) -> Mapping[str, str]:
        """Return the files that lie beside a page just written: their texts by address.

        A minion has its pillar as JSON and YAML, a pair of environments all that differs, and the
        last page of a split list of minions what the filter box finds on the others.
        """
        stem = page.uri.removesuffix(".html")
        if page.kind == "minion" and self._last is not None and self._last[0] is page:
            pillar = self._last[1].declared
            return {
                f"{stem}.json": self._book.written(pillar) + "\n",
                f"{stem}.yaml": self._book.written_as_yaml(pillar),
            }
        if page.kind == "pair":
            return {f"{stem}.json": write_pair_json(self._fleet, page.number, self._book.token)}
        if page.kind == "minions" and page.number == self._lists - 1 > 0:
            return {"assets/minions.js": write_index(self._fleet)}
        return {}

    def _write_minion(self, page: Page) -> str:
        assert page.minion is not None  # noqa: S101 (it is what such a page is about)
        sides = gather_sides(self._book, page.minion, self._comparer)
        written = self._minion_pages.write(page.minion, sides)
        self._fleet.add(written.summary, sides, self._book.grains(page.minion))
        self._last = page, sides
        return written.html
