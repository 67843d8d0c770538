"""Finds why a minion's dump differs, by trials.

The minion is compiled again with one declaration of the inventory changed: a grain to a value of
other minions, of the dump or of the templates, or to no value; its environments; its pillar. If all
differences vanish, the change is the cause. If some vanish and none are added, it is likely, and
the search continues from there. Everything is limited by counts, so that each run has one result.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath
from pillarbook.verify.dump_causes import DumpCause
from pillarbook.verify.dump_differences import Comparison
from pillarbook.verify.grain_questions import GrainQuestions
from pillarbook.verify.inventory_changes import InventoryChange, typed
from pillarbook.verify.proposals import Pair, Proposer

# Each trial is a compile of a minion, and combinations have no natural end.
MAX_TRIALS = 200
"""The most trials for one minion."""
MAX_IN_ALL = 20_000
"""The most trials of a run; after that, only explanations of other minions are tried."""
MAX_AFTER_PROOF = 60
"""The most trials for other explanations after the first one."""
MAX_ROUNDS = 3
"""The most changes that are combined."""
# The explanation of one minion often fits its neighbours, which spares most searches of a fleet.
MAX_HINTS = 20
"""The most explanations of other minions that are tried first."""
# Minions with the same differences have one cause; after three failures, no trial can show it.
MAX_VAIN = 3
"""The most searches in vain for minions with the same differences; the others are skipped."""

Compare = Callable[[Minion], tuple[Comparison, CompiledPillar]]
"""Compiles the given minion, and compares it with the dump."""
Ask = Callable[[Minion, CompiledPillar, Comparison], GrainQuestions]
"""Finds the relevant grains."""


@dataclass(frozen=True, slots=True)
class Case:
    """A minion that differs."""

    minion: Minion
    comparison: Comparison
    asked: GrainQuestions
    """The relevant grains."""
    pairs: Sequence[Pair]
    """Differing values that may be seen."""
    compare: Compare
    """Compiles the minion with a change."""
    ask: Ask
    """Finds the relevant grains of the changed minion."""


_Nearest = tuple[InventoryChange, Comparison, CompiledPillar]


@dataclass(slots=True)
class TrialSearch:
    """Searches for one minion after another, and keeps the last explanations."""

    proposer: Proposer
    """Proposes changes to try."""
    trials: int = 0
    unfinished: int = 0
    """The number of minions for which no trials were left."""
    _hints: dict[Hashable, InventoryChange] = field(default_factory=dict)
    _vain: dict[Hashable, int] = field(default_factory=dict)

    def explain(self, case: Case) -> list[DumpCause]:
        """Return the declarations that are likely to be wrong; proven ones are alternatives."""
        proven = self._try_hints(case)
        if proven:
            return proven
        signature = tuple(sorted(map(repr, case.comparison.places)))
        if self._vain.get(signature, 0) >= MAX_VAIN:
            return []
        if self.trials >= MAX_IN_ALL:
            self.unfinished += 1
            return []
        found = self._search(case)
        if not found or found[0].certainty != "proven":
            self._vain[signature] = self._vain.get(signature, 0) + 1
        for cause in found:
            if len(cause.changes) == 1 and cause.certainty == "proven":
                self._remember(cause.changes[0])
        return found

    def _try_hints(self, case: Case) -> list[DumpCause]:
        """Return explanations of other minions that also explain this one."""
        proven = []
        for key, hint in list(self._hints.items()):
            change = hint.of(case.minion)
            if typed(change.value) == typed(change.declared):
                continue
            comparison, _ = self._compare(case, change.apply(case.minion))
            if not comparison.differences:
                proven.append(DumpCause("declaration", "proven", changes=(change,)))
                self._hints[key] = self._hints.pop(key)  # recently useful ones are kept longest
        return proven

    def _remember(self, change: InventoryChange) -> None:
        self._hints.setdefault((change.subject, typed(change.value)), change)
        if len(self._hints) > MAX_HINTS:
            del self._hints[next(iter(self._hints))]

    def _search(self, case: Case) -> list[DumpCause]:
        left = MAX_TRIALS
        changes: tuple[InventoryChange, ...] = ()
        minion, comparison, asked = case.minion, case.comparison, case.asked
        for round_number in range(MAX_ROUNDS):
            # Each round but the last leaves some trials for later rounds.
            share = left if round_number == MAX_ROUNDS - 1 else left * 2 // 3
            proposals = islice(self.proposer.propose(minion, asked, case.pairs), share)
            before = self.trials
            proven, nearest = self._round(case, minion, comparison, proposals)
            left -= self.trials - before
            if proven:
                return [
                    DumpCause("declaration", "proven", changes=(*changes, change))
                    for change in proven
                ]
            if nearest is None:
                break
            change, comparison, compiled = nearest
            minion = change.apply(minion)
            changes = (*changes, change)
            asked = case.ask(minion, compiled, comparison)
        return [DumpCause("declaration", "likely", changes=changes)] if changes else []

    def _round(
        self, case: Case, minion: Minion, before: Comparison, proposals: Iterable[InventoryChange]
    ) -> tuple[list[InventoryChange], _Nearest | None]:
        """Try changes of one thing; return those that explain all, and the best of the others."""
        proven: list[InventoryChange] = []
        nearest: _Nearest | None = None
        for change in _until_proof_is_old(proposals, proven):
            comparison, compiled = self._compare(case, change.apply(minion))
            best = before if nearest is None else nearest[1]
            if not comparison.differences:
                proven.append(change)
            elif comparison.weight < best.weight and _is_within(comparison, before):
                nearest = change, comparison, compiled
        return proven, nearest

    def _compare(self, case: Case, minion: Minion) -> tuple[Comparison, CompiledPillar]:
        self.trials += 1
        return case.compare(minion)


def _until_proof_is_old(
    proposals: Iterable[InventoryChange], proven: Sequence[InventoryChange]
) -> Iterator[InventoryChange]:
    """Yield proposals; after a proof only some more, about other things."""
    after = 0
    for change in proposals:
        if any(change.subject == one.subject for one in proven):
            continue
        if proven:
            after += 1
            if after > MAX_AFTER_PROOF:
                return
        yield change


def _is_within(comparison: Comparison, before: Comparison) -> bool:
    """Say whether nothing differs that did not differ before, itself or a part of it."""
    places = before.places

    def was_there(path: KeyPath) -> bool:
        return any(path[:end] in places for end in range(1, len(path) + 1))

    return all(was_there(path) for path in comparison.places)
