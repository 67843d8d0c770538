"""Summaries of minions for the pages about the whole fleet."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pillarbook.compare.fold import Fold, FoldedChange
from pillarbook.report.minion import MinionSummary
from pillarbook.report.sides import MinionSides
from pillarbook.report.source import EnvironmentSide
from pillarbook.report.tags import GrainTags

OUTCOMES: Mapping[str, str] = {
    "ok": "compiled without errors",
    "partial": "pillar with errors in it",
    "failed": "no pillar, because of an error",
    "empty": "no target matches",
}
"""Every outcome, and what it means."""
WORDS: Mapping[str, str] = {
    "unchanged": "the same in both",
    "changed": "both compile, with different values",
    "newly failing": "errors in {head} only",
    "still failing": "errors in both",
    "fixed": "errors in {base} only",
    "empty": "empty in one of them",
}
"""Every result of a minion from one environment to another, and what it means."""

NOT_COMPARED = "no top file"
"""The result of every minion if one of two environments has none."""
TWO_SOUND_SIDES = frozenset({"changed", "unchanged", NOT_COMPARED})
"""Results whose minions are not listed: the keys that differ say it, or there is no difference."""


@dataclass(frozen=True, slots=True)
class FleetMinion:
    """One minion, in a line."""

    summary: MinionSummary
    """The counts of its page."""
    pillarenv: str | None
    """Its pillarenv as declared."""
    outcomes: tuple[str, ...]
    """Its outcome in each environment."""
    words: tuple[str, ...]
    """Its result in each environment, compared with the first."""
    faults: tuple[tuple[str, ...], ...]
    """What goes wrong in each environment."""


@dataclass(frozen=True, slots=True)
class EnvironmentPair:
    """The first environment and another, compared over the fleet."""

    base: EnvironmentSide
    """The first."""
    head: EnvironmentSide
    """The other."""
    changes: tuple[FoldedChange, ...]
    """What differs, equal changes together, by path."""
    words: Counter[str]
    """How many minions each word is true of."""
    results: Mapping[tuple[str, str, str], tuple[str, ...]]
    """Minions with errors, or with nothing at all, on one side: by the outcome in the base, the
    one in the head, and the word for it."""
    faults: Mapping[tuple[str, str, str], tuple[Mapping[str, int], Mapping[str, int]]]
    """What goes wrong for these minions in the base and in the head, each with how many of them
    it is true of; what affects most comes first."""

    @property
    def is_compared(self) -> bool:
        """Whether there is something to compare: top files, or pillar that comes without one."""
        have_tops = self.base.has_top and self.head.has_top
        return have_tops or any(word != NOT_COMPARED for word in self.words)

    @property
    def differing(self) -> int:
        """How many minions differ."""
        return sum(self.words[word] for word in WORDS if word != "unchanged")

    @property
    def keys(self) -> int:
        """How many keys differ; members of a list count as one."""
        return len({tuple((type(key), key) for key in one.path) for one in self.changes})

    @property
    def kinds(self) -> Counter[str]:
        """How many changes there are of each kind."""
        return Counter(change.change.kind for change in self.changes)


class FleetSummary:
    """Gathers the summaries of minions, one after the other."""

    def __init__(self, environments: Sequence[EnvironmentSide]) -> None:
        self.environments = tuple(environments)
        """The environments that are compared."""
        self.minions: dict[str, FleetMinion] = {}
        """The minions so far, by id."""
        self._tags = GrainTags()
        self._folds = [Fold() for _ in self.environments]
        self._pairs: dict[int, EnvironmentPair] = {}

    def add(self, summary: MinionSummary, sides: MinionSides, grains: Mapping[str, Any]) -> None:
        """Take one minion."""
        self._tags.add(summary.minion, grains)
        outcomes = tuple(pillar.outcome for _, pillar in sides.sides)
        words = tuple(sides.word(number) for number in range(len(outcomes)))
        pillarenv = sides.declared.pillarenv
        faults = tuple(pillar.faults or pillar.errors for _, pillar in sides.sides)
        self.minions[summary.minion] = FleetMinion(summary, pillarenv, outcomes, words, faults)
        for fold, word, changes in zip(self._folds, words, sides.changes, strict=True):
            # That a minion gets nothing is one thing to say, not one a key.
            if changes and word != "empty":
                fold.add(summary.minion, changes)

    @cached_property
    def tags(self) -> Mapping[str, tuple[str, ...]]:
        """The tags of each minion; asked for when all minions are there."""
        return self._tags.finish()

    @cached_property
    def outcomes(self) -> Counter[str]:
        """How many minions have each outcome, as declared."""
        return Counter(minion.summary.outcome for minion in self.minions.values())

    def outcomes_in(self, number: int) -> Counter[str]:
        """Return how many minions have each outcome in an environment."""
        return Counter(minion.outcomes[number] for minion in self.minions.values())

    def pair(self, number: int) -> EnvironmentPair:
        """Return the first environment against another, when all minions are there."""
        if number not in self._pairs:
            self._pairs[number] = self._make_pair(number)
        return self._pairs[number]

    @property
    def pairs(self) -> tuple[EnvironmentPair, ...]:
        """The first environment against each of the others."""
        return tuple(self.pair(number) for number in range(1, len(self.environments)))

    def _make_pair(self, number: int) -> EnvironmentPair:
        results: dict[tuple[str, str, str], list[str]] = {}
        for name, minion in self.minions.items():
            if minion.words[number] in TWO_SOUND_SIDES:
                continue
            result = (minion.outcomes[0], minion.outcomes[number], minion.words[number])
            results.setdefault(result, []).append(name)
        return EnvironmentPair(
            base=self.environments[0],
            head=self.environments[number],
            changes=self._folds[number].finish(),
            words=Counter(minion.words[number] for minion in self.minions.values()),
            results={result: tuple(names) for result, names in results.items()},
            faults={
                result: (self._count_faults(names, 0), self._count_faults(names, number))
                for result, names in results.items()
            },
        )

    def _count_faults(self, names: Sequence[str], number: int) -> dict[str, int]:
        count = Counter(fault for name in names for fault in self.minions[name].faults[number])
        return dict(count.most_common())
