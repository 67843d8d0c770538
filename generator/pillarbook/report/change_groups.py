"""A comparison as its readers take it in: by the minions that the same things affect.

Failing, new and removed minions and atoms are one group if they affect the same minions. A
group that is too large for the page of all changes has a page of its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pillarbook.compare.atoms import Atom
from pillarbook.compare.diff import Diff
from pillarbook.compare.outcomes import show_result
from pillarbook.report.folded_atoms import FoldedAtoms
from pillarbook.report.members import LinkBudget
from pillarbook.report.minion_faults import Faults, fold_alike
from pillarbook.report.result_wording import NEW_FAULTS
from pillarbook.report.told_changes import ToldGroup

ALARMS = ("newly failing", NEW_FAULTS, "empty", "gone", "new", "fixed", "still failing")
"""What happens to minions other than that values change, the worst first."""
MAX_MEMBERS = 30
"""Minions that the page of all changes names of a group."""
MAX_TOLD = 40
"""Changes of a group that the page of all changes lists."""
MAX_LISTED = 20_000
"""Minions that a group's own page names."""
# A commit that changes every minion in a way of its own would else make pages that grow with the
# square of the fleet.
MAX_LINKS = 200_000
"""Minions that the pages of all groups name together before they name only the first few."""
FEW = 100
"""How many that is."""
MAX_PAGES = 1_000
"""Pages of groups."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """Minions that have the same word, for the same faults."""

    word: str
    """One of ``ALARMS``."""
    was: str
    """Their outcome in the base, or ``absent``."""
    outcome: str
    """Their outcome in the head, or ``absent``."""
    faults: tuple[str, ...]
    """What goes wrong for each of them, with file and line."""

    @property
    def shown(self) -> str:
        """The word, as people read it."""
        return show_result(self.word)


@dataclass(frozen=True, slots=True)
class ChangeGroup:
    """Some minions, and all that affects just them."""

    number: int
    """Its number, counted from 1: the name of its page, if it has one."""
    minions: tuple[str, ...]
    alarms: tuple[Alarm, ...]
    """What happened to them, other than that values differ."""
    told: tuple[FoldedAtoms, ...]
    """Their changed values."""
    listed: int
    """How many of the minions its own page names; 0 if it has no page."""

    @property
    def page(self) -> str:
        """The file name of its page, if it has one."""
        return f"{self.number}.html"

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """Their changed values, exactly."""
        return tuple(atom for one in self.told for atom in one.atoms)


def group_changes(diff: Diff, told: Sequence[ToldGroup]) -> tuple[ChangeGroup, ...]:
    """Return the groups of a comparison: first those whose values change."""
    alarms: dict[tuple[str, ...], list[Alarm]] = {}
    for alarm, minions in list_alarms(diff):
        alarms.setdefault(minions, []).append(alarm)
    values = {group.minions: group.told for group in told}
    budget, pages = LinkBudget(MAX_LINKS, MAX_LISTED, FEW), MAX_PAGES
    groups = []
    for number, minions in enumerate(dict.fromkeys([*values, *alarms]), 1):
        own, found = values.get(minions, ()), tuple(alarms.get(minions, ()))
        is_large = len(minions) > MAX_MEMBERS or len(own) > MAX_TOLD
        is_large |= any(one.variants > 1 for one in own)
        listed = 0
        if is_large and pages:
            listed, pages = budget.take(len(minions)), pages - 1
        groups.append(ChangeGroup(number, minions, found, own, listed))
    return tuple(groups)


def list_alarms(diff: Diff) -> Iterator[tuple[Alarm, tuple[str, ...]]]:
    """Yield what happened to minions, other than that values differ, the worst first."""
    found: dict[str, dict[tuple[str, str], dict[Faults, list[str]]]] = {one: {} for one in ALARMS}
    for minion, result in diff.minions.items():
        new = result.new_faults
        old = tuple(one for one in result.faults if one not in new)
        told = [(NEW_FAULTS, new)] if new else []
        told += [(result.word, old)] if old or not new else []
        for word, faults in told:
            if word in found:
                by_faults = found[word].setdefault((result.base, result.head), {})
                by_faults.setdefault(faults, []).append(minion)
    for word, by_outcome in found.items():
        for (was, outcome), by_faults in by_outcome.items():
            for faults, minions in fold_alike(by_faults, diff).items():
                yield Alarm(word, was, outcome, faults), tuple(minions)
