"""All pages of the report, written one after the other.

Minions come first: each is compiled, compared and written, and leaves behind a line for the pages
that sum up the fleet.
"""

from collections.abc import Mapping
from types import MappingProxyType

import jinja2

from pillarbook.compare import Comparer
from pillarbook.report.access import Access, FleetSecrets
from pillarbook.report.addresses import Page, plan_pages
from pillarbook.report.book import Book
from pillarbook.report.diagnostics import write_diagnostics
from pillarbook.report.environments import write_environments, write_pair
from pillarbook.report.fleet import Fleet
from pillarbook.report.home import write_home
from pillarbook.report.minion import MinionPages
from pillarbook.report.minions import write_index, write_list
from pillarbook.report.pair_json import write_pair_json
from pillarbook.report.secret_table import Ages
from pillarbook.report.secrets import write_secrets
from pillarbook.report.secrets_json import write_secrets_json
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
        self._access = Access()
        self._found: tuple[FleetSecrets, Ages] | None = None
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
        fleet, templates = self._fleet, self._templates
        html: str
        match page.kind:
            case "minion":
                html = self._write_minion(page)
            case "minions":
                html = write_list(fleet, page.number, templates)
            case "environments":
                html = write_environments(fleet, templates)
            case "pair":
                html = write_pair(fleet, page.number, self._book.token, templates)
            case "secrets":
                html = write_secrets(fleet, *self._secrets(), self._book.token, templates)
            case "diagnostics":
                html = write_diagnostics(self._book.diagnostics, self._guide, templates)
            case "home":
                html = write_home(fleet, self._book.diagnostics, templates)
        return html

    def beside(self, page: Page) -> Mapping[str, str]:
        """Return the files that lie beside a page just written: their texts by address.

        A minion has its pillar as JSON and YAML, a pair of environments all that differs, the page
        of secrets all who read them, and the last page of a split list of minions what the filter
        box finds on the others.
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
        if page.kind == "secrets":
            return {f"{stem}.json": write_secrets_json(*self._secrets(), self._book.token)}
        if page.kind == "minions" and page.number == self._lists - 1 > 0:
            return {"assets/minions.js": write_index(self._fleet)}
        return {}

    def _write_minion(self, page: Page) -> str:
        assert page.minion is not None  # noqa: S101 (it is what such a page is about)
        sides = gather_sides(self._book, page.minion, self._comparer)
        written = self._minion_pages.write(page.minion, sides)
        self._fleet.add(written.summary, sides, self._book.grains(page.minion))
        self._access.add(
            page.minion, ((row.leaf, row.positions, ways) for row, ways in written.secrets)
        )
        self._last = page, sides
        return written.html

    def _secrets(self) -> tuple[FleetSecrets, Ages]:
        """Return who reads what, and when it last changed; once every minion was written."""
        if self._found is None:
            secrets = self._access.finish()
            sources = (source for secret in secrets.secrets for source, _ in secret.sources)
            places = {(one.file, one.line): None for one in sources}
            ages = self._book.ages((file, line) for file, line in places if line is not None)
            self._found = secrets, ages
        return self._found
