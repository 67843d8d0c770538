"""Minions that lose everything that a target gave them: the news after what newly fails."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pillarbook.compare.diff import Diff
from pillarbook.model.phrases import count, list_some
from pillarbook.redact.redacted_pillar import RedactedTarget
from pillarbook.report.state_wording import StateAlarm, StateWords

MAX_TARGETS = 3
"""Lines of top files, and targets of each, that are named for a group of minions."""
MAX_SLS = 5
"""SLS files that are named for a target."""


@dataclass(frozen=True, slots=True)
class LostTargets:
    """Minions that lose the same targets."""

    minions: tuple[str, ...]
    targets: tuple[RedactedTarget, ...]
    """The targets, as the base has them."""
    state_alarms: tuple[StateAlarm, ...]
    """Failures of their states, and of no others', that read a key which is gone."""
    environment: str = ""
    """The base if it is an environment; empty if it is what was before."""

    def describe(self, name: Callable[[str], str], place: Callable[[str], str]) -> list[str]:
        """Return which SLS files are lost, one target a line."""
        by_line: dict[str, list[RedactedTarget]] = {}
        for one in self.targets:
            by_line.setdefault(one.place, []).append(one)
        listed = list(by_line.items())[:MAX_TARGETS]
        told = [self._describe_line(some, place(where), name) for where, some in listed]
        left = len(self.targets) - sum(len(some) for _, some in listed)
        return [*told, count(left, "more target")] if left > 0 else told

    def _describe_line(
        self, some: Sequence[RedactedTarget], place: str, name: Callable[[str], str]
    ) -> str:
        sls = list_some(list(dict.fromkeys(sls for one in some for sls in one.sls)), MAX_SLS, name)
        # A target whose SLS has the minion's id in its name is one.
        names = list(dict.fromkeys(one.target for one in some))
        ending = "" if len(names) == 1 else "s"
        target = f"the target{ending} {list_some(names, MAX_TARGETS, name)} in {place}"
        if self.environment:
            return (
                f"{target} {'give' if ending else 'gives'} {sls} only in {name(self.environment)}"
            )
        return f"{target} (before) no longer {'give' if ending else 'gives'} {sls}"


def list_other_alarms(
    lost: Iterable[LostTargets], states: StateWords, most_faults: int
) -> list[StateAlarm]:
    """Return the failures of states that are not because of a lost target, the worst first."""
    told = {alarm for one in lost for alarm in one.state_alarms}
    return [one for one in states.alarms(most_faults) if one not in told]


def group_lost_targets(diff: Diff, states: StateWords, most_faults: int) -> list[LostTargets]:
    """Return the minions that lose a target and keys with it.

    Those of equal targets are together, or those of each line of a top file, if that is shorter.
    """
    found: dict[tuple[RedactedTarget, ...], list[str]] = {}
    for minion, result in () if diff.bare else diff.minions.items():
        if minion in diff.lost_a_target:
            found.setdefault(result.lost, []).append(minion)
    groups = [(tuple(minions), targets) for targets, minions in found.items()]
    by_line = list(_group_by_line(found))
    if 2 * len(by_line) < sum(1 + len(targets) for targets in found):
        groups = sorted(by_line, key=lambda group: -len(group[0]))
    alarms: dict[tuple[str, ...], list[StateAlarm]] = {}
    for alarm in states.alarms(most_faults):
        whose = [group for group, _ in groups if set(alarm.minions) <= set(group)]
        if whose and states.describe_reason(alarm, str):
            alarms.setdefault(min(whose, key=len), []).append(alarm)
    return [
        LostTargets(minions, targets, tuple(alarms.pop(minions, ())), diff.environment)
        for minions, targets in groups
    ]


def _group_by_line(
    found: Mapping[tuple[RedactedTarget, ...], Iterable[str]],
) -> Iterator[tuple[tuple[str, ...], tuple[RedactedTarget, ...]]]:
    """Yield the minions that lose the targets of the same lines, with these targets."""
    lines: dict[str, tuple[dict[RedactedTarget, None], dict[str, None]]] = {}
    for targets, minions in found.items():
        for one in targets:
            told, members = lines.setdefault(one.place, ({}, {}))
            told[one] = None
            members.update(dict.fromkeys(minions))
    alike: dict[frozenset[str], tuple[dict[str, None], list[RedactedTarget]]] = {}
    for told, members in lines.values():
        alike.setdefault(frozenset(members), (members, []))[1].extend(told)
    yield from ((tuple(members), tuple(told)) for members, told in alike.values())
