"""Minions that fail, grouped by what goes wrong for them."""

from collections.abc import Sequence
from dataclasses import dataclass

from pillarbook.compare.diff import Diff
from pillarbook.report.phrases import count
from pillarbook.report.state_wording import StateWords

STILL = "still failing"
"""The result of what fails as before."""


@dataclass(frozen=True, slots=True)
class OldFailures:
    """Minions that fail as before, with the same faults."""

    of_states: bool
    """Whether their states fail, and not their pillar."""
    minions: tuple[str, ...]
    """The minions."""
    faults: tuple[str, ...]
    """What goes wrong, with file and line."""


def group_by_faults(diff: Diff, word: str, most: int) -> dict[tuple[str, ...], list[str]]:
    """Return the minions with a result, by at most ``most`` faults each; empty for bare sides."""
    found: dict[tuple[str, ...], list[str]] = {}
    for minion, result in () if diff.bare else diff.minions.items():
        if result.word == word:
            found.setdefault(result.faults[:most], []).append(minion)
    return found


def find_old_failures(diff: Diff, states: StateWords, most: int) -> list[OldFailures]:
    """Return who fails as before: it is no news."""
    return [
        *(
            OldFailures(of_states=False, minions=tuple(minions), faults=faults)
            for faults, minions in group_by_faults(diff, STILL, most).items()
        ),
        *(
            OldFailures(of_states=True, minions=alarm.minions, faults=alarm.faults)
            for alarm in states.alarms(most)
            if alarm.word == STILL
        ),
    ]


def count_old_failures(found: Sequence[OldFailures]) -> str:
    """Return how many minions fail as before, for the line above them."""
    names = {name for one in found for name in one.minions}
    by_states = names - {name for one in found if not one.of_states for name in one.minions}
    told = f"{count(len(names), 'minion fails', 'minions fail')} as before"
    return (
        f"{told} ({len(by_states):,} only in {'their' if len(by_states) > 1 else 'its'} states)"
        if by_states
        else told
    )
