"""What a group of minions is called on a page, with links to it and to those that it names."""

from collections.abc import Callable, Sequence
from functools import cached_property, partial

from markupsafe import Markup

from pillarbook.report.addresses import Page, group_address
from pillarbook.report.fleet_summary import FleetSummary
from pillarbook.report.group_names import GroupName, GroupNames
from pillarbook.report.minion_sets import set_of
from pillarbook.report.value_html import write_code, write_code_link

# Protects the time of a build: a page of a group takes some milliseconds for each 1,000 keys.
MAX_PAGES = 200
"""Groups that have a page; those that are named first."""


class GroupLinks:
    """Names groups of a fleet, once every minion was written; one object for all pages.

    A group that is named by a grain or a glob of ids has a page, so it is remembered until
    somebody asks for the pages that are to be written.
    """

    def __init__(self, fleet: FleetSummary) -> None:
        self.fleet = fleet
        """All minions."""
        self.terms: list[str] = []
        """The grains and globs that have a page, in the order in which they were named."""
        self._known: dict[str, str | None] = {}
        self._planned = 0

    @cached_property
    def names(self) -> GroupNames:
        """Finds names of groups."""
        return GroupNames(self.fleet.tags)

    def plan(self) -> tuple[Page, ...]:
        """Return the pages of groups that were named since this was last asked for."""
        start, self._planned = self._planned, len(self.terms)
        return tuple(
            Page(group_address(term), term, "minion-group", number=number)
            for number, term in enumerate(self.terms[start:], start)
        )

    def name(self, minions: Sequence[str], root: str) -> Markup:
        """Return what a group is called; nothing if it is empty."""
        if not minions:
            return Markup()
        name = self.names.name(self.names.set_of(minions))
        return self.write(name, root, lambda one: self.fleet.minions[one].summary.link(root))

    def name_set(self, minions: int, root: str, link: Callable[[int], str]) -> Markup:
        """Return what a group is called; nothing if it is empty.

        The minions are a set of bits; ``link`` writes a minion, given its number.
        """
        if not minions:
            return Markup()
        name = self.names.name(minions)
        return self.write(name, root, lambda minion: link(self._numbers[minion]))

    def write(self, name: GroupName, root: str, link: Callable[[str], str]) -> Markup:
        """Return a name as HTML."""
        return Markup(name.write(partial(self.write_term, root), link))  # noqa: S704 (both escape)

    def write_term(self, root: str, term: str) -> str:
        """Return a grain or a glob as HTML, as a link to the page of the minions that it means."""
        if term not in self._known:
            has_page = len(self.terms) < MAX_PAGES and self.names.members_of(term).bit_count() > 1
            self._known[term] = group_address(term) if has_page else None
            self.terms += [term] * has_page
        address = self._known[term]
        return write_code(term) if address is None else write_code_link(root + address, term)

    def lists_each(self, minions: int) -> bool:
        """Say whether a group's name is its minions, one by one."""
        return self.names.name(minions).lists_each

    def tells_all(self, minions: int) -> bool:
        """Say whether a group's name tells each minion that is in it."""
        return not minions or self.names.name(minions).tells_all

    @cached_property
    def failed(self) -> int:
        """The minions without a pillar because of an error, as a set of bits."""
        outcomes = enumerate(one.summary.outcome for one in self.fleet.minions.values())
        return set_of(number for number, outcome in outcomes if outcome == "failed")

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.fleet.minions)}
