"""The rules about targets, for the top files of states."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from pillarbook.checks.pinned_minions import PinnedMinions
from pillarbook.checks.target_advice import TargetAdvice
from pillarbook.checks.unmatched_targets import GivenTargets, TargetRules
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Project
from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.minions import Minion
from pillarbook.redact import Rules, hide_in_target

GivenStateTargets: TypeAlias = tuple[GivenTargets, frozenset[str]]
"""The verdicts on the minions of one process, and those whose targets were all evaluated."""


class StateTargets:
    """Gathers the verdicts on all minions.

    ``minions`` is their number in the fleet.
    """

    def __init__(self, rules: TargetRules, minions: int) -> None:
        self._rules = rules
        self._count = minions
        self._minions: set[str] = set()

    def take(self, states: CompiledPillar) -> None:
        """Add the states of a minion."""
        if states.targets:
            self._minions.add(states.minion)
            self._rules.take(states.minion, None, states.targets)

    def give(self) -> GivenStateTargets:
        """Return what was added, for another process."""
        return self._rules.give(), frozenset(self._minions)

    def merge(self, given: GivenStateTargets) -> None:
        """Add what was added in another process."""
        targets, minions = given
        self._rules.merge(targets)
        self._minions |= minions

    def find(self, ignores: Callable[[str, str], bool]) -> Iterator[Diagnostic]:
        """Yield the findings; none if the targets are not known for all minions.

        ``ignores`` says whether the configuration ignores a rule for a minion id.
        """
        if len(self._minions) < self._count:
            return
        for minion, found in self._rules.find_unknown():
            if not ignores(found.code, minion):
                yield found
        yield from self._rules.find_unmatched()


def make_target_rules(
    minions: Sequence[Minion], project: Project, rules: Rules | None
) -> tuple[TargetRules, TargetRules]:
    """Return the rules about targets, for the top files of the pillar and of states."""
    ids = {minion.id: None for minion in minions}
    nodegroups = project.options.values.get("nodegroups") or {}
    hide = partial(hide_in_target, rules=rules)
    advice = TargetAdvice(minions, nodegroups, hide)
    pinned, none = PinnedMinions(minions, project), PinnedMinions((), project)
    return (
        TargetRules(ids, nodegroups, pinned, hide, advice),
        TargetRules(ids, nodegroups, none, hide, advice, of_states=True),
    )
