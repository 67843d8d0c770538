"""Groups of minions that many rows refer to; each is written once on a page."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape

from pillarbook.report.fleet_summary import FleetMinion
from pillarbook.report.value_html import make_visible

MAX_INLINE = 3
"""Minions that a row names itself."""
MAX_LISTED = 200
"""Minions that a group names; those beyond are counted."""
# Protects the size of a page: a fold may have as many members as the fleet.
MAX_LINKS = 8000
"""Minions that all the groups of a page name together before they name only the first few."""
FEW = 5
"""How many that is."""


@dataclass(frozen=True, slots=True)
class Group:
    """Some minions, named on the page."""

    anchor: str
    """The id of its heading."""
    title: str
    """How many there are."""
    links: str
    """Links to their pages, as HTML."""
    left: int
    """How many are not named."""


@dataclass
class MemberGroups:
    """Numbers the groups of minions of a page as they come up."""

    minions: Mapping[str, FleetMinion]
    """The fleet."""
    _numbers: dict[tuple[str, ...], int] = field(default_factory=dict)

    def cell(self, members: tuple[str, ...]) -> str:
        """Return a few minions as links, more as a link to their group."""
        if len(members) <= MAX_INLINE:
            return ", ".join(map(self._link, members))
        number = self._numbers.setdefault(members, len(self._numbers) + 1)
        return f'<a href="#group-{number}">{self._count(members)}</a>'

    def finish(self) -> Iterator[Group]:
        """Yield the groups that came up."""
        links = MAX_LINKS
        for members, number in self._numbers.items():
            most = min(MAX_LISTED, max(links, FEW))
            named = members[:most]
            links -= len(named)
            yield Group(
                f"group-{number}",
                f"Group {number}: {self._count(members)}",
                ", ".join(map(self._link, named)),
                len(members) - len(named),
            )

    def _link(self, member: str) -> str:
        """Return a minion as a link to what its page says of environments."""
        address = f"../minions/{self.minions[member].summary.slug}.html#environments"
        return f'<a href="{address}">{escape(make_visible(member))}</a>'

    def _count(self, members: tuple[str, ...]) -> str:
        count = f"{len(members):,} minions"
        return f"all {count}" if len(members) == len(self.minions) else count
