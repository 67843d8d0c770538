"""Summaries of minions for the pages about the whole fleet."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeAlias

from pillarbook.compare.change import Change
from pillarbook.compare.fold import Fold, FoldedChange
from pillarbook.model.limited_cache import recall
from pillarbook.redact import is_sealed
from pillarbook.report.gatherers import WrittenMinion
from pillarbook.report.key_patterns import typed_path
from pillarbook.report.minion import MinionSummary
from pillarbook.report.result_wording import call_between
from pillarbook.report.source import EnvironmentSide
from pillarbook.report.tags import GivenTags, GrainTags

OUTCOMES: Mapping[str, str] = {
    "ok": "compiled without errors",
    "partial": "pillar with errors in it",
    "failed": "no pillar, because of an error",
    "empty": "no target gives it anything",
}
"""Every outcome, and what it means."""
WORDS: Mapping[str, str] = {
    "unchanged": "equal pillars",
    "changed": "both compile, with different values",
    "newly failing": "no errors in {base}",
    "still failing": "",
    "fixed": "no errors in {head}",
    "empty": "",
}
"""Every result of a minion from one environment to another, and what its name does not say."""

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
    rank: int
    """Its place in the inventory."""
    changes: tuple[tuple[Change, ...], ...]
    """What differs in each environment from the first."""


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
        return len({typed_path(one.path) for one in self.changes})

    def call(self, word: str) -> str:
        """Return a result as people read it; here, either environment can be the empty one."""
        if word == "empty":
            return "empty in one of them"
        return call_between(word, self.base.name, self.head.name)

    @property
    def kinds(self) -> Counter[str]:
        """How many changes there are of each kind."""
        return Counter(change.change.kind for change in self.changes)


GivenSummary: TypeAlias = tuple[Sequence[FleetMinion], GivenTags]
"""The minions of one process, and what their tags are made of."""


class FleetSummary:
    """Gathers the summaries of minions; a ``Gatherer``."""

    def __init__(self, environments: Sequence[EnvironmentSide]) -> None:
        self.environments = tuple(environments)
        """The environments that are compared."""
        self.minions: dict[str, FleetMinion] = {}
        """The minions so far, by id, in inventory order."""
        self._tags = GrainTags()
        self._pairs: dict[int, EnvironmentPair] = {}

    def add(self, written: WrittenMinion) -> None:
        """Take one minion."""
        sides = written.sides
        self._tags.add(written.minion, written.grains)
        outcomes = tuple(pillar.outcome for _, pillar in sides.sides)
        words = tuple(sides.word(number) for number in range(len(outcomes)))
        self.minions[written.minion] = FleetMinion(
            summary=written.page.summary,
            pillarenv=sides.declared.pillarenv,
            outcomes=outcomes,
            words=words,
            faults=tuple(pillar.faults or pillar.errors for _, pillar in sides.sides),
            rank=written.rank,
            # That a minion gets nothing is one thing to say, not one a key.
            changes=tuple(
                changes if word != "empty" else ()
                for word, changes in zip(words, sides.changes, strict=True)
            ),
        )

    def give(self) -> GivenSummary:
        """Return what was gathered, for another process."""
        return tuple(self.minions.values()), self._tags.give()

    def take(self, given: GivenSummary) -> None:
        """Take what was gathered in another process."""
        others, tags = given
        self._tags.take(tags)
        minions = [*self.minions.values(), *others]
        minions.sort(key=lambda one: one.rank)
        self.minions = {one.summary.minion: one for one in minions}

    def name(self, ranks: Iterable[int]) -> list[str]:
        """Return the ids of minions by their places in the inventory, once all are there."""
        return [self._names[rank] for rank in sorted(ranks)]

    @cached_property
    def _names(self) -> dict[int, str]:
        return {minion.rank: name for name, minion in self.minions.items()}

    @cached_property
    def tags(self) -> Mapping[str, tuple[str, ...]]:
        """The tags of each minion; asked for when all minions are there."""
        found = self._tags.finish()
        return {minion: found[minion] for minion in self.minions}

    @property
    def not_decrypted(self) -> int:
        """How many values of all minions stay encrypted; asked for when all are there."""
        minions = self.minions.values()
        return sum(is_sealed(one.reason) for minion in minions for one in minion.summary.secrets)

    @cached_property
    def outcomes(self) -> Counter[str]:
        """How many minions have each outcome, as declared."""
        return Counter(minion.summary.outcome for minion in self.minions.values())

    def outcomes_in(self, number: int) -> Counter[str]:
        """Return how many minions have each outcome in an environment."""
        return Counter(minion.outcomes[number] for minion in self.minions.values())

    def pair(self, number: int) -> EnvironmentPair:
        """Return the first environment against another, when all minions are there."""
        return recall(self._pairs, number, partial(self._make_pair, number))

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
            changes=self._fold(number).finish(),
            words=Counter(minion.words[number] for minion in self.minions.values()),
            results={result: tuple(names) for result, names in results.items()},
            faults={
                result: (self._count_faults(names, 0), self._count_faults(names, number))
                for result, names in results.items()
            },
        )

    def _fold(self, number: int) -> Fold:
        fold = Fold()
        for name, minion in self.minions.items():
            fold.add(name, minion.changes[number])
        return fold

    def _count_faults(self, names: Sequence[str], number: int) -> dict[str, int]:
        count = Counter(fault for name in names for fault in self.minions[name].faults[number])
        return dict(count.most_common())
