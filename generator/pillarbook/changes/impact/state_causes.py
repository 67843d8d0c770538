"""Find why states change: which changes of the pillar, by taking them back.

A change of a state is due to a thing if it disappears once that thing alone is taken back. If no
single thing does this, it is due to as few things together as do. Beyond a number of trials nothing
is proven.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pillarbook.changes.comparison.state_sides import StatePair
from pillarbook.changes.impact.causing_files import CausingFiles, FilesOf
from pillarbook.changes.impact.taken_back import CannotTakeBackError, take_back
from pillarbook.compare.atoms import Cited
from pillarbook.compare.change import Change
from pillarbook.compare.chunks import ChunkChange, compare_chunks
from pillarbook.compare.compare_values import WinningOrigins
from pillarbook.compare.outcomes import FAILING
from pillarbook.compare.state_changes import ChunkChanges, StateCause, StateChanges
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.highstate.compiled_states import CompiledStates
from pillarbook.model import plain

# Protects the time of a comparison, as that of hunks does.
MAX_TRIALS = 2_000
"""Compiles of a minion's states that may be spent to find causes."""
ALL_BELOW = 64
"""Minions whose states change, up to which each is looked at by itself."""
FILES = -1
"""Stands for all but the pillar: the files of states, and what declares the minion."""

Compile = Callable[[CompiledPillar], CompiledStates]


class TooManyStateTrialsError(Exception):
    """The trials took as much as they may."""


@dataclass(frozen=True, slots=True, eq=False)
class StateComparison:
    """The states of a minion on both sides, and how to try others."""

    pair: StatePair
    """The states."""
    try_base: Compile
    """Compiles its states in the base, with some pillar."""
    try_head: Compile
    """Compiles its states in the head, with some pillar."""
    files_of: FilesOf = field(default=lambda _: CausingFiles())
    """Gives the files that have a part in a change, besides the pillar's."""


@dataclass(frozen=True, slots=True, eq=False)
class ChangedStates:
    """A minion whose states change."""

    minion: str
    """Its id, as it is shown."""
    looked: StateComparison
    """Its states on both sides."""
    base: CompiledStates
    """Its states in the base; those of a new minion do not change."""
    before: CompiledPillar
    """Its pillar in the base."""
    atoms: tuple[int, ...]
    """The ids of what changes in its pillar."""
    changes: tuple[Change, ...]
    """What changes in its pillar, in the order of the atoms."""
    states: ChunkChanges
    """What changes in its states."""
    declared: Callable[[], Iterable[tuple[Cited, Compile]]] = field(default=tuple)
    """Gives the hunks of what declares the fleet, each with what compiles without it."""
    declared_by: Callable[[], Hashable] = field(default=tuple)
    """Gives which of these hunks declare this minion and not another."""


def find_causes(
    members: Iterable[ChangedStates], most: int = MAX_TRIALS
) -> dict[str, list[StateCause]]:
    """Return for each minion why its states change, in the order of the changes.

    Minions that are alike are looked at once: those with the same changes, whose files of states
    render to the same.

    ``most`` limits the compiles that are spent.
    """
    told = list(members)
    contents = StateChanges()
    budget = Budget(most)
    known: dict[Hashable, list[StateCause]] = {}
    causes: dict[str, list[StateCause]] = {}
    for number, one in enumerate(told):
        key: Hashable = number
        if len(told) > ALL_BELOW:
            key = (
                tuple(map(contents.content_of, one.states)),
                one.atoms,
                one.looked.pair.by_pillar_alone,
                one.declared_by(),
                tuple(map(id, one.looked.pair.head.renders)),
                tuple(map(id, one.base.renders)),
            )
        if key not in known:
            known[key] = _Trials(one, budget).find()
        causes[one.minion] = known[key]
    return causes


class Budget:
    """How many compiles are left to spend."""

    def __init__(self, most: int) -> None:
        self._left = most

    def spend(self) -> None:
        """Take one.

        Raises:
            TooManyStateTrialsError: There are none left.
        """
        if self._left <= 0:
            raise TooManyStateTrialsError
        self._left -= 1


class _Trials:
    """Takes back what changed for one minion, and keeps the results."""

    def __init__(self, member: ChangedStates, budget: Budget) -> None:
        self._member = member
        self._budget = budget
        self._contents = StateChanges()
        self._elements = [*range(len(member.changes))]
        if not member.looked.pair.by_pillar_alone:
            self._elements.append(FILES)
        # By the set of changes taken back, for this one minion; gone with it.
        self._known: dict[frozenset[int], frozenset[Hashable] | None] = {}
        self._declared: list[tuple[Cited, frozenset[Hashable] | None]] | None = None
        self._base = _chunks(member.base)
        self._signs = [self._sign(change) for change in self._compare(member.looked.pair.head)]

    def find(self) -> list[StateCause]:
        """Return the cause of each change."""
        states = self._member.states
        if not states:
            return []
        if len(self._elements) == 1:
            return [self._cause(change, self._elements, proven=True) for change in states]
        if len(self._signs) != len(states):  # what is redacted differs otherwise than what is clear
            return [self._cause(change, self._elements, proven=False) for change in states]
        alone: dict[int, list[int]] = {}
        causes = []
        try:
            self._find_alone(self._elements, alone)
        except (TooManyStateTrialsError, CannotTakeBackError):
            return [self._cause(change, self._elements, proven=False) for change in states]
        for number, change in enumerate(states):
            own = sorted(alone.get(number, ()), key=self._elements.index)
            try:
                found = own or self._shrink(self._signs[number])
                causes.append(self._cause(change, found, proven=True))
            except (TooManyStateTrialsError, CannotTakeBackError):
                causes.append(self._cause(change, self._elements, proven=False))
        return causes

    def _find_alone(self, elements: Sequence[int], alone: dict[int, list[int]]) -> None:
        """Find what leaves changes out when it is taken back alone; halves first of many."""
        left = self._without(frozenset(elements))
        if left is not None and left.issuperset(self._signs) and len(elements) > 1:
            return  # all of it together makes no difference
        if len(elements) > 1:
            middle = len(elements) // 2
            self._find_alone(elements[:middle], alone)
            self._find_alone(elements[middle:], alone)
            return
        for number, sign in enumerate(self._signs):
            if left is not None and sign not in left:
                alone.setdefault(number, []).extend(elements)

    def _shrink(self, sign: Hashable) -> list[int]:
        """Return as few things as leave a change out together."""
        kept = list(self._elements)
        for element in reversed(self._elements):
            fewer = [one for one in kept if one != element]
            left = self._without(frozenset(fewer)) if fewer else None
            if left is not None and sign not in left:
                kept = fewer
        return kept

    def _without(self, taken: frozenset[int]) -> frozenset[Hashable] | None:
        """Return what changes with some things taken back; None where states fail then."""
        if taken not in self._known:
            self._known[taken] = self._try(taken)
        return self._known[taken]

    def _try(self, taken: frozenset[int]) -> frozenset[Hashable] | None:
        if len(taken) == len(self._elements):
            return frozenset()  # which is the base
        self._budget.spend()
        member = self._member
        after = member.looked.pair.after
        tree = after.tree
        if taken - {FILES}:
            tree = take_back(member.before.tree, tree, member.changes, taken - {FILES})
        compile_ = member.looked.try_base if FILES in taken else member.looked.try_head
        states = compile_(replace(after, tree=tree))
        if states.outcome in FAILING:
            return None
        return frozenset(map(self._sign, self._compare(states)))

    def _compare(self, states: CompiledStates) -> ChunkChanges:
        return compare_chunks(self._base, _chunks(states), _no_origins, _no_origins)

    def _sign(self, change: ChunkChange) -> Hashable:
        orders = change.orders if change.kind == "moved" else None
        return (self._contents.content_of(change), orders)

    def _cause(self, change: ChunkChange, elements: Sequence[int], *, proven: bool) -> StateCause:
        atoms = tuple(self._member.atoms[one] for one in elements if one != FILES)
        found = self._find_files(change, proven=proven) if FILES in elements else CausingFiles()
        return StateCause(tuple(sorted(atoms)), found.files, proven, found.lines)

    def _find_files(self, change: ChunkChange, *, proven: bool) -> CausingFiles:
        lines = self._lines_of(change) if proven else ()
        if not lines:
            return self._member.looked.files_of(change)
        return CausingFiles(tuple(dict.fromkeys(line.file for line in lines)), lines)

    def _lines_of(self, change: ChunkChange) -> tuple[Cited, ...]:
        """Return the lines that declare the fleet, each of which alone leaves the change out."""
        number = next(at for at, one in enumerate(self._member.states) if one is change)
        if number >= len(self._signs):
            return ()
        if self._declared is None:
            self._declared = list(self._try_declared())
        sign = self._signs[number]
        return tuple(line for line, left in self._declared if left is not None and sign not in left)

    def _try_declared(self) -> Iterator[tuple[Cited, frozenset[Hashable] | None]]:
        for line, compile_ in self._member.declared():
            try:
                self._budget.spend()
            except TooManyStateTrialsError:
                return
            states = compile_(self._member.looked.pair.after)
            fails = states.outcome in FAILING
            yield line, None if fails else frozenset(map(self._sign, self._compare(states)))


def _no_origins(_: int) -> WinningOrigins:
    return _NONE


_NONE = WinningOrigins(())


def _chunks(states: CompiledStates) -> list[dict[Any, Any]]:
    """Return the chunks in the clear; they go nowhere."""
    return [plain(chunk) for chunk in states.chunks]
