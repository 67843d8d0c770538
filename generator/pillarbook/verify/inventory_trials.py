"""Finds out by trial why a minion's dump differs.

The minion is compiled again with one thing of the inventory changed: a grain to what other minions
have, to what is in the dump or in the templates, or to nothing; its environments; its pillar.
Where the differences vanish, that is why; where some of them do and none come, it is likely, and
the search goes on from there. All is bounded by counts, so that a run says what the last one said.
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
"""Trials for one minion."""
MAX_IN_ALL = 20_000
"""Trials of a run; after that only what explained other minions is tried."""
MAX_AFTER_PROOF = 60
"""Trials for other explanations once there is one."""
MAX_ROUNDS = 3
"""Changes that are combined."""
# What explained one minion explains its neighbours, so this spares most searches of a fleet.
MAX_HINTS = 20
"""Explanations of other minions that are tried first."""
# Minions with one difference have one cause; if three do not show it, it is none that can be tried.
MAX_VAIN = 3
"""Minions with the same differences that are searched in vain, before the others are not."""

Compare = Callable[[Minion], tuple[Comparison, CompiledPillar]]
"""Compiles a minion as it is given and compares it with the dump."""
Ask = Callable[[Minion, CompiledPillar, Comparison], GrainQuestions]
"""Finds the grains that count."""


@dataclass(frozen=True, slots=True)
class Case:
    """A minion that differs."""

    minion: Minion
    """The minion as it is declared."""
    comparison: Comparison
    """Where it differs."""
    asked: GrainQuestions
    """The grains that count."""
    pairs: Sequence[Pair]
    """Values that differ and may be seen."""
    compare: Compare
    """How to compile it otherwise."""
    ask: Ask
    """How to find what counts then."""


_Nearest = tuple[InventoryChange, Comparison, CompiledPillar]


@dataclass(slots=True)
class TrialSearch:
    """Searches for one minion after another, and remembers what explained the last ones."""

    proposer: Proposer
    """Proposes what to try."""
    trials: int = 0
    """How many there were."""
    unfinished: int = 0
    """Minions for which there were none left."""
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
        """Return what explained other minions and explains this one, too."""
        proven = []
        for key, hint in list(self._hints.items()):
            change = hint.of(case.minion)
            if typed(change.value) == typed(change.declared):
                continue
            comparison, _ = self._compare(case, change.apply(case.minion))
            if not comparison.differences:
                proven.append(DumpCause("declaration", "proven", changes=(change,)))
                self._hints[key] = self._hints.pop(key)  # the latest to be of use is kept longest
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
            # Something is left for the rounds to come, but for the last one.
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
    """Yield proposals; once there is a proof some more, about other things."""
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
    """Say whether nothing differs that did not differ before, by itself or as a part."""
    places = before.places

    def was_there(path: KeyPath) -> bool:
        return any(path[:end] in places for end in range(1, len(path) + 1))

    return all(was_there(path) for path in comparison.places)
