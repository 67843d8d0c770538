"""What a group of minions is called on a page, with links to those that it names."""

from collections.abc import Callable, Sequence
from functools import cached_property

from markupsafe import Markup

from pillarbook.report.fleet_summary import FleetSummary
from pillarbook.report.group_names import GroupNames
from pillarbook.report.value_html import write_code, write_link


class GroupLinks:
    """Names groups of a fleet, once every minion was written."""

    def __init__(self, fleet: FleetSummary) -> None:
        self._fleet = fleet

    @cached_property
    def _names(self) -> GroupNames:
        return GroupNames(self._fleet.tags)

    def name(self, minions: Sequence[str], root: str) -> Markup:
        """Return what a group is called; nothing if it is empty."""
        if not minions:
            return Markup()

        def link(minion: str) -> str:
            slug = self._fleet.minions[minion].summary.slug
            return write_link(f"{root}minions/{slug}.html", minion)

        return Markup(self._names.describe(minions, write_code, link))  # noqa: S704 (both escape)

    def name_set(self, minions: int, link: Callable[[int], str]) -> Markup:
        """Return what a group is called; nothing if it is empty.

        Args:
            minions: Their numbers, as a set of bits.
            link: Writes a minion, given its number.
        """
        if not minions:
            return Markup()
        words = self._names.name(minions).write(write_code, lambda name: link(self._numbers[name]))
        return Markup(words)  # noqa: S704 (both escape)

    def lists_each(self, minions: int) -> bool:
        """Say whether a group's name is its minions, one by one."""
        return self._names.name(minions).lists_each

    def tells_all(self, minions: int) -> bool:
        """Say whether a group's name tells each minion that is in it."""
        return not minions or self._names.name(minions).tells_all

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self._fleet.minions)}
