"""Groups of minions that many rows refer to; each is written once on a page."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from pillarbook.report.fleet_summary import FleetMinion
from pillarbook.report.group_names import say_all
from pillarbook.report.value_html import write_link

MAX_INLINE = 3
"""Minions that a row names itself."""
MAX_LISTED = 200
"""Minions that a group names; those beyond are counted."""
# Protects the size of a page: a fold may have as many members as the fleet.
MAX_LINKS = 8000
"""Minions that all the groups of a page name together before they name only the first few."""
FEW = 5
"""How many that is."""


@dataclass
class LinkBudget:
    """Says how many minions each group of a page may name, so that the page stays small."""

    links: int = MAX_LINKS
    """Minions that all groups may still name together before they name only the first few."""
    most: int = MAX_LISTED
    """Minions that one group may name."""
    few: int = FEW
    """Minions that a group may name in any case."""

    def take(self, minions: int) -> int:
        """Return how many of a group's minions to name."""
        named = min(minions, self.most, max(self.links, self.few))
        self.links -= named
        return named


@dataclass(frozen=True, slots=True)
class Group:
    """Some minions, named on the page."""

    anchor: str
    """The id of its heading."""
    title: str
    """How many there are."""
    links: Markup
    """Links to their pages."""
    left: int
    """How many are not named."""


@dataclass
class MemberGroups:
    """Numbers the groups of minions of a page as they come up."""

    minions: Mapping[str, FleetMinion]
    _numbers: dict[tuple[str, ...], int] = field(default_factory=dict)

    def cell(self, members: tuple[str, ...]) -> str:
        """Return a few minions as links, more as a link to their group."""
        if len(members) <= MAX_INLINE:
            return self._link_all(members)
        number = self._numbers.setdefault(members, len(self._numbers) + 1)
        return write_link(f"#group-{number}", self._count(members))

    def write_index(self) -> str:
        """Return who is in the groups that came up as a script, for the filter box of the page.

        Shape: ``[[FIRST, LAST, FIRST, LAST...]...]``, for each group the minions from one place in
        the inventory to another, as ``assets/minions.js`` counts them.
        """
        places = {name: place for place, name in enumerate(self.minions)}
        runs = [_find_runs(sorted(map(places.__getitem__, one))) for one in self._numbers]
        return f"globalThis.pillarbookGroups = {json.dumps(runs, separators=(',', ':'))};\n"

    def finish(self) -> Iterator[Group]:
        """Yield the groups that came up."""
        budget = LinkBudget()
        for members, number in self._numbers.items():
            named = members[: budget.take(len(members))]
            yield Group(
                f"group-{number}",
                f"Group {number}: {self._count(members)}",
                Markup(self._link_all(named)),  # noqa: S704 (escaped there)
                len(members) - len(named),
            )

    def _link_all(self, members: Sequence[str]) -> str:
        """Return minions as links to what their pages say of environments."""
        summaries = (self.minions[member].summary for member in members)
        return ", ".join(one.link("../", "environments") for one in summaries)

    def _count(self, members: tuple[str, ...]) -> str:
        is_all = len(members) == len(self.minions)
        return f"{say_all(len(members)) if is_all else f'{len(members):,}'} minions"


def _find_runs(places: Sequence[int]) -> list[int]:
    """Return the first and the last place of each run of neighbours."""
    runs: list[int] = []
    for place in places:
        if runs and place == runs[-1] + 1:
            runs[-1] = place
        else:
            runs += (place, place)
    return runs
