"""The pages of the pillar's files: who gets each, what it reads, and the result of each line."""

from collections.abc import Iterator
from functools import cached_property

import jinja2
from markupsafe import Markup

from pillarbook.report.addresses import Page, source_address
from pillarbook.report.group_links import GroupLinks
from pillarbook.report.sls_facts import describe_files
from pillarbook.report.source import PillarSources
from pillarbook.report.source_fleet import GatheredSources
from pillarbook.report.source_lines import Coverage
from pillarbook.report.source_links import ForgeLinks
from pillarbook.report.source_use import Minions, ranks_of


class SlsPages:
    """Writes the pages of the pillar's files, once every minion was written.

    Args:
        gathered: What is known of the fleet.
        sources: The files.
        groups: Names groups of minions.
        forge: Finds lines of files on the site of their repository.
        templates: The environment of page templates.
    """

    def __init__(
        self,
        gathered: GatheredSources,
        sources: PillarSources,
        groups: GroupLinks,
        forge: ForgeLinks,
        templates: jinja2.Environment,
    ) -> None:
        self.files = describe_files(gathered, sources)
        """What there is to say of files, by their names."""
        self._pages = list(self.files.values())
        self._minions = tuple(groups.fleet.minions)
        self._groups = groups
        self._forge = forge
        self._templates = templates
        # By the set of minions and the way to the root; most lines of a file have one set.
        self._named: dict[tuple[Minions, str], Markup] = {}

    def plan(self) -> tuple[Page, ...]:
        """Return the pages of the files."""
        return tuple(
            Page(source_address(one.source, ""), one.source.name, "sls", number=number)
            for number, one in enumerate(self._pages)
        )

    def list_names(self, page: Page) -> list[str]:
        """Return what the file of a page is called."""
        source = self._pages[page.number].source
        return [source.name, source.file]

    def write_index(self) -> str:
        """Return the page that lists all files."""
        total = sum((one.coverage for one in self._pages), Coverage())
        return self._templates.get_template("sls_index.html").render(
            pages=sorted(self._pages, key=lambda one: (one.source.saltenv, one.source.name)),
            coverage=total,
            who=lambda minions: self._who(minions, "../"),
            address=lambda source, line=None: source_address(source, "../", line),
        )

    def write(self, number: int) -> str:
        """Return the page of a file."""
        page = self._pages[number]
        return self._template.render(
            page=page,
            who=lambda minions: self._who(minions, "../../"),
            address=self._address,
            forge=self._forge.line_address,
        )

    @cached_property
    def _template(self) -> jinja2.Template:
        return self._templates.get_template("sls.html")

    def _address(self, file: str, line: int | None = None) -> str | None:
        """Return the address of a line of a file, as seen from a page of one; None without page."""
        page = self.files.get(file)
        return None if page is None else source_address(page.source, "../../", line)

    def _who(self, minions: Minions, root: str) -> Markup:
        """Return what some minions are called."""
        key = minions, root
        if key not in self._named:
            self._named[key] = self._groups.name(list(self._ids(minions)), root)
        return self._named[key]

    def _ids(self, minions: Minions) -> Iterator[str]:
        return (self._minions[rank] for rank in ranks_of(minions))
