"""Minions that lose everything that a target gave them: the news after what newly fails."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pillarbook.compare.diff import Diff
from pillarbook.redact.redacted_pillar import RedactedTarget
from pillarbook.report.phrases import count, list_some
from pillarbook.report.state_wording import StateAlarm, StateWords

MAX_TARGETS = 3
"""Targets that are named for a group of minions."""
MAX_SLS = 5
"""SLS files that are named for a target."""


@dataclass(frozen=True, slots=True)
class LostTargets:
    """Minions that lose the same targets."""

    minions: tuple[str, ...]
    """The minions."""
    targets: tuple[RedactedTarget, ...]
    """The targets, as the base has them."""
    state_alarms: tuple[StateAlarm, ...]
    """Failures of their states, and of no others', that read a key which is gone."""
    environment: str = ""
    """The base if it is an environment; empty if it is what was before."""

    def describe(self, name: Callable[[str], str], place: Callable[[str], str]) -> list[str]:
        """Return which SLS files are lost, one target a line.

        Args:
            name: Writes a target or an SLS.
            place: Writes a file and line.
        """
        told = []
        for one in self.targets[:MAX_TARGETS]:
            where = one.file if one.line is None else f"{one.file}:{one.line}"
            sls = list_some(one.sls, MAX_SLS, name)
            target = f"the target {name(one.target)} in {place(where)}"
            told.append(
                f"{target} gives {sls} only in {name(self.environment)}"
                if self.environment
                else f"{target} (before) no longer gives {sls}"
            )
        left = len(self.targets) - MAX_TARGETS
        return [*told, count(left, "more target")] if left > 0 else told


def list_other_alarms(
    lost: Iterable[LostTargets], states: StateWords, most_faults: int
) -> list[StateAlarm]:
    """Return the failures of states that are not because of a lost target, the worst first."""
    told = {alarm for one in lost for alarm in one.state_alarms}
    return [one for one in states.alarms(most_faults) if one not in told]


def group_lost_targets(diff: Diff, states: StateWords, most_faults: int) -> list[LostTargets]:
    """Return the minions that lose a target and keys with it, those of equal targets together.

    Args:
        diff: The comparison.
        states: Describes its states.
        most_faults: How many faults a failure of states names.
    """
    found: dict[tuple[RedactedTarget, ...], list[str]] = {}
    for minion, result in () if diff.bare else diff.minions.items():
        if minion in diff.lost_a_target:
            found.setdefault(result.lost, []).append(minion)
    alarms = [one for one in states.alarms(most_faults) if states.describe_reason(one, str)]
    return [
        LostTargets(
            tuple(minions),
            lost,
            tuple(one for one in alarms if set(one.minions) <= set(minions)),
            diff.environment,
        )
        for lost, minions in found.items()
    ]
