"""All pages of the report, written one after the other.

Minions come first: each is compiled, compared and written, and leaves behind a line for the pages
that sum up the fleet.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import jinja2

from pillarbook.compare.diff import Diff
from pillarbook.compare.pillars import Comparer
from pillarbook.report.about_report import describe_about
from pillarbook.report.addresses import Page, PageKind, plan_minion, plan_pages
from pillarbook.report.change_pages import ChangePages, write_not_compared
from pillarbook.report.diagnostics import write_diagnostics
from pillarbook.report.environment_pages import write_environments, write_pair, write_pair_json
from pillarbook.report.fleet_pages import FleetPages, Gathered
from pillarbook.report.fleet_summary import FleetSummary
from pillarbook.report.forge import Forge
from pillarbook.report.found_values import FoundGrains
from pillarbook.report.gatherers import Gatherer, WrittenMinion
from pillarbook.report.group_links import GroupLinks
from pillarbook.report.group_pages import SharedSections
from pillarbook.report.help_pages import HelpPages
from pillarbook.report.history_entry import make_entry, make_start
from pillarbook.report.history_pages import HistoryPages
from pillarbook.report.history_reader import HistoryEntry
from pillarbook.report.home import write_about, write_home
from pillarbook.report.key_fleet import KeyFleet
from pillarbook.report.key_patterns import KeyPatterns
from pillarbook.report.members import MemberGroups
from pillarbook.report.minion import MinionPages
from pillarbook.report.minion_list import write_index, write_list
from pillarbook.report.page_parts import PartedPage, SharedPart
from pillarbook.report.search_entries import SearchEntries, SitePage, list_names, list_pages
from pillarbook.report.search_index import list_words, write_search
from pillarbook.report.secret_access import Access
from pillarbook.report.secrets_page import write_secrets, write_secrets_json
from pillarbook.report.sides import MinionSides, gather_sides
from pillarbook.report.since_revision_pages import RevisionChanges
from pillarbook.report.source import NotCompared, ReportSource
from pillarbook.report.source_fleet import SourceFleet
from pillarbook.report.source_links import ForgeLinks, SourceLinks
from pillarbook.report.state_fleet import StateFleet
from pillarbook.report.targets_page import TargetFleet
from pillarbook.schemas import list_files

NO_COMMIT = "the report before was not made in a git repository"


class Report:
    """Writes the pages of a source.

    ``guide`` are the pages that help a reader, those of the wheel if it is left out; ``forge`` is
    the site that shows the repository.
    """

    def __init__(
        self,
        source: ReportSource,
        templates: jinja2.Environment,
        guide: HelpPages | None = None,
        forge: Forge | None = None,
    ) -> None:
        self._source = source
        self._templates = templates
        self._guide = guide or HelpPages(templates)
        self.pages = plan_pages(source)
        """The pages in the order to write them: minions in inventory order, then the rest."""
        self._lists = sum(page.kind == "minions" for page in self.pages)
        self._patterns = KeyPatterns(source.minions)
        self._forge = ForgeLinks(forge, source.committed)
        self._history = (
            HistoryPages(source.history, source.about, self._patterns, self._forge, templates)
            if source.history is not None
            else None
        )
        self.entry: dict[str, Any] | None = None
        """What this build adds to the history; None before its page is written, or for nothing."""
        self._minion_pages = MinionPages(
            source, templates, self._guide.rules, self._patterns, self._history
        )
        self._comparer = Comparer()
        self._fleet = FleetSummary(source.environments)
        self._groups = GroupLinks(self._fleet)
        self._gathered = Gathered(
            Access(),
            KeyFleet(self._patterns),
            StateFleet(source.token, self._minion_pages.key_reads, self._patterns),
            TargetFleet(),
            SourceFleet(source.sources),
        )
        self._grains = FoundGrains()
        self._later: list[Page] = []
        self._members: dict[int, MemberGroups] = {}
        self._gatherers: tuple[Gatherer, ...] = (
            self._fleet,
            *self._gathered.list(),
            self._grains,
        )
        self._last: tuple[Page, MinionSides, str] | None = None
        self._shared = SharedSections((), lambda _: "", (), self._groups)
        self._since = _begin_changes(source)
        before = None if self._since is None else self._since.committed
        self._links = SourceLinks(source.sources, self._forge, ForgeLinks(forge, before))
        self._about = FleetPages(
            source,
            self._gathered,
            self._groups,
            self._patterns,
            self._forge,
            templates,
            self._history,
        )
        self._changes: ChangePages | None = None
        self._writers = self._list_writers()

    def pages_of(self, rank: int) -> tuple[Page, ...]:
        """Return the pages of the minion at a place in the inventory, in their order."""
        return plan_minion(self._source, rank)

    def further(self, page: Page) -> tuple[Page, ...]:
        """Return pages that turned out to be needed when a page was written."""
        later = (*self._about.plan(page), *self._find_further(page), *self._groups.plan())
        self._later += later
        return later

    def _find_further(self, page: Page) -> tuple[Page, ...]:
        if page.kind == "diagnostics":
            return self._guide.plan()
        if page.kind != "changes" or self._changes is None:
            return ()
        return tuple(
            Page(f"changes/{number}.html", f"Changes on {name}", "group", number=number)
            for number, name in self._changes.large.items()
        )

    def write(self, page: Page) -> str:
        """Return a page's content from its first heading on.

        The home page begins with an ``h2``: the site may put its own text above it.

        Raises:
            RevealedPillarError: A pillar shows its secrets.
        """
        if page.kind == "minion":
            return self.write_parted(page).html
        return self._links.link(self._writers[page.kind](page), page)

    def write_parted(self, page: Page) -> PartedPage:
        """Return a page's content and its parts that other pages may have as well.

        Raises:
            RevealedPillarError: A pillar shows its secrets.
        """
        if page.kind != "minion":
            return PartedPage(self.write(page))
        content = self._write_minion(page)
        parts = tuple(self._links.link_part(part, page) for part in content.parts)
        return PartedPage(self._links.link(content.text, page), parts)

    def share(self, parts: Sequence[SharedPart], read: Callable[[SharedPart], str]) -> None:
        """Add a page for each part that minions share."""
        self._shared = SharedSections(parts, read, self._source.minions, self._groups)
        self.pages += self._shared.plan()  # last: pages before choose which groups have a page

    def list_words(self, page: Page) -> str:
        """Return the names of what a page is about, for the search of another theme."""
        return list_words(self._about.list_names(page))

    @property
    def about(self) -> str:
        """Of which commit the report is, in words, and what wrote it."""
        return describe_about(self._source.about.describe())

    @property
    def guide(self) -> str | None:
        """Where the guide to reading the report is, as seen from the site's root."""
        return self._guide.reading

    def give(self) -> tuple[Any, ...]:
        """Return what was gathered of the minions written here, for a report in another process.

        The parts that their pages share are dropped, because all minions of this process are
        written.
        """
        self._minion_pages.forget()
        self._comparer = Comparer()
        return tuple(gatherer.give() for gatherer in self._gatherers)

    def take(self, given: tuple[Any, ...]) -> None:
        """Take what was gathered of minions in another process, before a page sums them up."""
        for gatherer, one in zip(self._gatherers, given, strict=True):
            gatherer.take(one)

    def _list_writers(self) -> dict[PageKind, Callable[[Page], str]]:
        source, fleet, templates = self._source, self._fleet, self._templates
        return {
            "minion-states": self._write_states,
            "minions": lambda page: write_list(fleet, page.number, templates),
            "environments": lambda _: write_environments(fleet, templates),
            "pair": self._write_pair,
            "changes": lambda _: self._write_changes(),
            "history": lambda _: self._write_history(),
            "group": lambda page: self._change_pages().write_group(page.number),
            "states": lambda _: self._about.states.write_index(),
            "state-sls": lambda page: self._about.states.write_sls(page.number),
            "keys": lambda page: self._about.keys.write_list(page.number),
            "key-top": lambda page: self._about.keys.write_top(page.number),
            "key": lambda page: self._about.keys.write_key(page.number),
            "targets": lambda page: self._about.targets.write(page.number),
            "sls-index": lambda _: self._about.sls.write_index(),
            "sls": lambda page: self._about.sls.write(page.number),
            "section": lambda page: self._shared.write(page.number, templates),
            "minion-group": lambda page: self._about.groups.write(page.number),
            "secrets": lambda _: write_secrets(
                self._groups, *self._about.find_secrets(), source.token, templates
            ),
            "diagnostics": lambda _: self._write_diagnostics(),
            "guide": lambda page: self._guide.write_guide(page.number),
            "rule": lambda page: self._guide.write_rule(page.title),
            "home": lambda _: write_home(
                self._groups,
                source.diagnostics,
                templates,
                self._what_changed(),
                source.about.describe(),
                self.guide,
            ),
        }

    def beside(self, page: Page) -> Mapping[str, str]:
        """Return the files that lie beside a page just written: their texts by address.

        A minion has its pillar as JSON and YAML, a pair of environments all that differs, the page
        of changes all of them, the page of secrets all who read them, the home page the schemas of
        all these, and the last page of a split list of minions what the filter box finds on the
        others.
        """
        stem = page.uri.removesuffix(".html")
        if page.kind == "minion" and self._last is not None and self._last[0] == page:
            pillar = self._last[1].declared
            return {
                f"{stem}.json": self._source.texts.as_json(pillar) + "\n",
                f"{stem}.yaml": self._source.texts.as_yaml(pillar),
            }
        if page.kind == "home":
            return {
                "report.json": self._write_json(page),
                **dict(list_files(has_history=self._history is not None)),
            }
        if page.kind == "pair":
            members = self._members[page.number].write_index()
            return {f"{stem}.json": self._write_json(page), f"{stem}.js": members}
        if page.kind == "secrets" or (page.kind == "changes" and self._changes):
            return {f"{stem}.json": self._write_json(page)}
        is_last = page.kind == "minions" and page.number == self._lists - 1
        # The pages of environments find minions by it, too.
        if is_last and (page.number or self._source.environments):
            return {"assets/minions.js": write_index(self._fleet)}
        return {}

    def write_search(self, own: Sequence[SitePage]) -> Iterator[tuple[str, str]]:
        """Yield the files of the search index, address and text; once all pages were written."""
        entries, keys = SearchEntries(self._fleet), self._about.keys
        parts = (
            entries.list_minions(),
            entries.list_keys(keys),
            entries.list_values(keys),
            entries.list_grains(self._grains),
            list_names(
                self._about.sls.files.values(),
                self._gathered.states,
                list_pages((*self.pages, *self._later), own),
            ),
        )
        return write_search(parts)

    def _write_json(self, page: Page) -> str:
        """Return what a page that sums up the fleet says, for programs."""
        source = self._source
        if page.kind == "pair":
            return write_pair_json(self._fleet, page.number, source.token)
        if page.kind == "secrets":
            return write_secrets_json(*self._about.find_secrets(), source.token)
        if page.kind == "changes":
            return self._change_pages().write_json()
        return write_about(
            source.about.describe(), self._fleet, source.diagnostics, source.site_name
        )

    def _write_minion(self, page: Page) -> PartedPage:
        assert page.minion is not None  # noqa: S101 (it is what such a page is about)
        sides = gather_sides(self._source, page.minion, self._comparer)
        change = None if self._since is None else self._since.add(page.minion)
        states = self._source.states(page.minion) if self._source.has_states else None
        written = self._minion_pages.write(page.minion, sides, change, states)
        grains = self._source.grains(page.minion)
        gathered = WrittenMinion(page.number, page.minion, sides, states, written, grains)
        for gatherer in self._gatherers:
            gatherer.add(gathered)
        self._last = page, sides, written.states
        return written.content

    def _write_states(self, page: Page) -> str:
        """Return the page of a minion's states, which was made with the minion's own page."""
        assert self._last is not None  # noqa: S101 (the minion's own page comes just before)
        assert self._last[0].minion == page.minion  # noqa: S101 (as above)
        return self._last[2]

    def _write_pair(self, page: Page) -> str:
        groups = self._members[page.number] = MemberGroups(self._fleet.minions)
        source, templates = self._source, self._templates
        return write_pair(self._fleet, page.number, groups, source.token, templates)

    def _write_diagnostics(self) -> str:
        found = self._source.diagnostics
        self._guide.note({one.code for one in found})
        return write_diagnostics(found, self._groups, self._guide.rules, self._templates)

    def _write_changes(self) -> str:
        since = self._source.since
        if isinstance(since, NotCompared):
            return write_not_compared(since, self._templates)
        return self._change_pages().write_all()

    def _write_history(self) -> str:
        """Return the page of all builds; this one is added first."""
        assert self._history is not None  # noqa: S101 (there is such a page only with a history)
        self.entry = self._make_entry(self._history.last)
        if self.entry is not None:
            self._history.add(self.entry)
        return self._history.write(self._about.keys.find_address)

    def _make_entry(self, last: HistoryEntry | None) -> dict[str, Any] | None:
        """Return what this build adds to the history; None if nothing changed."""
        source, number = self._source, 1 if last is None else last.number + 1
        about, since = source.about.describe(), source.since
        if last is None:
            return make_start(about)
        if self._since is not None and source.history and source.history.is_compared:
            return make_entry(source, number, *self._since.finish(self._fleet))
        if (about.commit and about.commit.id) == last.commit:
            return None
        reason = since.reason if isinstance(since, NotCompared) else NO_COMMIT
        return make_start(about, number, not_compared=reason)

    def _what_changed(self) -> Diff | NotCompared | None:
        if self._since is not None:
            return self._since.finish(self._fleet)[0]
        return self._source.since if isinstance(self._source.since, NotCompared) else None

    def _change_pages(self) -> ChangePages:
        """Return what writes the changes; once every minion was written."""
        if self._changes is None:
            assert self._since is not None  # noqa: S101 (there are such pages only with a base)
            diff, words = self._since.finish(self._fleet)
            self._changes = ChangePages(
                diff, words, self._groups, self._source.token, self._templates
            )
        return self._changes


def _begin_changes(source: ReportSource) -> RevisionChanges | None:
    """Return what compares a source with its base; None if it has no base."""
    since = source.since
    if since is None or isinstance(since, NotCompared):
        return None
    return RevisionChanges(source, since)
