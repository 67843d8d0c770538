"""Minions that fail, grouped by what goes wrong for them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pillarbook.compare.diff import Diff
from pillarbook.model.phrases import common_ends, count, cut_errors
from pillarbook.report.result_wording import NEW_FAULTS
from pillarbook.report.state_wording import STILL, StateWords

MIN_ALIKE = 3
"""Faults that differ in names only and are told as one; two are told as they are."""
_QUOTED = re.compile(r"'[^']*'")
Faults: TypeAlias = tuple[str, ...]
"""What goes wrong for a minion, with file and line."""


@dataclass(frozen=True, slots=True)
class OldFailures:
    """Minions that fail as before, with the same faults."""

    of_states: bool
    """Whether their states fail, and not their pillar."""
    minions: tuple[str, ...]
    faults: tuple[str, ...]
    """What goes wrong, with file and line."""


def group_by_faults(diff: Diff, word: str, most: int) -> dict[Faults, list[str]]:
    """Return the minions with a result, or with new faults, by at most ``most`` faults each.

    The faults of most minions come first. Nobody for bare sides. What still fails has its old
    faults here, and the others as new ones.
    """
    found: dict[Faults, list[str]] = {}
    for minion, result in () if diff.bare else diff.minions.items():
        if word == NEW_FAULTS:
            faults = result.new_faults
        else:
            faults = tuple(one for one in result.faults if one not in result.new_faults)
        if faults if word == NEW_FAULTS else result.word == word and (faults or word != STILL):
            # Old ones are folded by the fault, each with all its minions.
            cut = faults[:most] if word == STILL else cut_errors(faults, most)
            found.setdefault(cut, []).append(minion)
    folded = fold_alike(found, diff)
    return dict(sorted(folded.items(), key=lambda one: -len(one[1])))


def fold_alike(found: Mapping[Faults, list[str]], diff: Diff) -> dict[Faults, list[str]]:
    """Return minions by faults; faults that differ in names only are one.

    A top file that gives ``id.{{ grains.id }}`` has a fault of its own for each minion.
    """
    alike: dict[Faults, list[Faults]] = {}
    for faults in found:
        alike.setdefault(tuple(_QUOTED.sub("''", fault) for fault in faults), []).append(faults)
    folded: dict[Faults, list[str]] = {}
    for kinds in alike.values():
        if len(kinds) < MIN_ALIKE:
            folded |= {faults: found[faults] for faults in kinds}
            continue
        minions = {minion for faults in kinds for minion in found[faults]}
        together = tuple(map(_write_together, zip(*kinds, strict=True)))
        folded[together] = [minion for minion in diff.minions if minion in minions]
    return folded


def _write_together(faults: Sequence[str]) -> str:
    """Return faults as one: what their names have in common, and the name in the first."""
    names = list(zip(*(_QUOTED.findall(fault) for fault in faults), strict=True))
    common = iter(
        [each[0] if len(set(each)) == 1 else "…".join(common_ends(each)) for each in names]
    )
    example = next((each[0] for each in names if len(set(each)) > 1), None)
    text = _QUOTED.sub(lambda _: next(common), faults[0])
    return text if example is None else f"{text}, such as {example}"


def find_old_failures(diff: Diff, states: StateWords, most: int) -> list[OldFailures]:
    """Return who fails as before: it is no news."""
    of_pillar = group_by_faults(diff, STILL, most)
    of_states = {one.faults: [*one.minions] for one in states.alarms(most) if one.word == STILL}
    return [
        OldFailures(is_of_states, minions, faults)
        for is_of_states, found in ((False, of_pillar), (True, of_states))
        for minions, faults in _fold_by_minions(found, diff).items()
    ]


def _fold_by_minions(found: Mapping[Faults, list[str]], diff: Diff) -> dict[Faults, Faults]:
    """Return faults by the minions that have them, so that each fault is there once."""
    by_fault: dict[str, set[str]] = {}
    for faults, minions in found.items():
        for fault in faults:
            by_fault.setdefault(fault, set()).update(minions)
    order = {minion: at for at, minion in enumerate(diff.minions)}
    folded: dict[tuple[str, ...], list[str]] = {}
    for fault, own in by_fault.items():
        folded.setdefault(tuple(sorted(own, key=order.__getitem__)), []).append(fault)
    return {minions: tuple(faults) for minions, faults in folded.items()}


def count_old_failures(diff: Diff, found: Sequence[OldFailures]) -> str:
    """Return how many minions fail as before, for the line above them."""
    names = {name for one in found for name in one.minions}
    by_states = names - {name for one in found if not one.of_states for name in one.minions}
    how = "in both" if diff.environment else "as before"
    told = f"{count(len(names), 'minion fails', 'minions fail')} {how}"
    where = f"only in {'their' if len(by_states) > 1 else 'its'} states"
    if by_states == names:
        return f"{told}, {where}"
    return f"{told} ({len(by_states):,} {where})" if by_states else told
