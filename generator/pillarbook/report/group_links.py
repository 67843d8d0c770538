"""What a group of minions is called on a page, with links to those that it names."""

from collections.abc import Sequence
from functools import cached_property

from markupsafe import Markup

from pillarbook.report.fleet_summary import FleetSummary
from pillarbook.report.group_names import GroupNames
from pillarbook.report.value_html import write_code, write_link


class GroupLinks:
    """Names groups of a fleet, once every minion was written.

    Args:
        fleet: All minions.
    """

    def __init__(self, fleet: FleetSummary) -> None:
        self._fleet = fleet

    @cached_property
    def _names(self) -> GroupNames:
        return GroupNames(self._fleet.tags)

    def name(self, minions: Sequence[str], root: str) -> Markup:
        """Return what a group is called; nothing if it is empty.

        Args:
            minions: Their ids.
            root: How to get to the site's root.
        """
        if not minions:
            return Markup()

        def link(minion: str) -> str:
            slug = self._fleet.minions[minion].summary.slug
            return write_link(f"{root}minions/{slug}.html", minion)

        return Markup(self._names.describe(minions, write_code, link))  # noqa: S704 (both escape)
