"""Finds which changes of the pillar cause changes of states, by compiles without some of them.

A pillar change is the cause if the state change disappears without it. If no single change is the
cause, the smallest set is that has this effect. After a limit of trials, causes are not proven.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from zlib import crc32

from pillarbook.changes.comparison.state_sides import StatePair
from pillarbook.changes.impact.causing_files import CausingFiles, FilesOf
from pillarbook.changes.impact.taken_back import CannotTakeBackError, take_back
from pillarbook.compare.atoms import Cited
from pillarbook.compare.change import Change
from pillarbook.compare.chunks import ChunkChange, compare_chunks, shape_of
from pillarbook.compare.compare_values import WinningOrigins
from pillarbook.compare.outcomes import FAILING
from pillarbook.compare.state_changes import ChunkChanges, StateCause, StateChanges
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.highstate.compiled_states import CompiledStates
from pillarbook.model import plain
from pillarbook.model.limited_cache import recall

# Limits the time of a comparison, like the limit for hunks.
MAX_TRIALS = 2_000
"""The most compiles of a minion's states that find causes."""
MAX_STATES = 400_000
"""The most states in all these compiles, because the time depends on the number of states."""
MANY = 32
"""Changes from which on those with an effect are found by the digits of their numbers."""
ALL_BELOW = 64
"""The most minions with changed states of which each one is examined."""
FILES = -1
"""The element for everything except the pillar: files of states, and declarations of the minion."""

Compile = Callable[[CompiledPillar], CompiledStates]


class TooManyStateTrialsError(Exception):
    """The trials have reached their limit."""


@dataclass(frozen=True, slots=True, eq=False)
class StateComparison:
    """The states of a minion on both sides, and functions for trials."""

    pair: StatePair
    try_base: Compile
    """Compiles its states in the base with another pillar."""
    try_head: Compile
    """Compiles its states in the head with another pillar."""
    files_of: FilesOf = field(default=lambda _: CausingFiles())
    """Returns the files that cause a change, in addition to the pillar's files."""


@dataclass(frozen=True, slots=True, eq=False)
class ChangedStates:
    """A minion whose states change."""

    minion: str
    """Its id, as it is shown."""
    looked: StateComparison
    """Its states on both sides."""
    base: CompiledStates
    """Its states in the base; the states of a new minion do not change."""
    before: CompiledPillar
    """Its pillar in the base."""
    atoms: tuple[int, ...]
    """The ids of the changes in its pillar."""
    changes: tuple[Change, ...]
    """The changes in its pillar, in the order of the atoms."""
    states: ChunkChanges
    declared: Callable[[], Iterable[tuple[Cited, Compile]]] = field(default=tuple)
    """Returns the hunks of declarations, each with a function that compiles without the hunk."""
    declared_by: Callable[[], Hashable] = field(default=tuple)
    """Returns the hunks that declare this minion and no other one."""


def find_causes(
    members: Iterable[ChangedStates], most: int = MAX_TRIALS
) -> dict[str, list[StateCause]]:
    """Return the causes of each minion's state changes, in the order of the changes.

    Similar minions are examined once: those with the same changes, whose files of states render to
    the same.

    ``most`` limits the number of compiles.
    """
    told = list(members)
    budget = Budget(most)
    known: dict[Hashable, list[StateCause]] = {}
    causes: dict[str, list[StateCause]] = {}
    for number, one in enumerate(told):
        key: Hashable = number
        if len(told) > ALL_BELOW or len(told) * len(one.atoms) > most:
            key = (
                tuple(map(shape_of, one.states)),
                one.atoms,
                one.looked.pair.by_pillar_alone,
                one.declared_by(),
                tuple(render.kind for render in one.looked.pair.head.renders),
                tuple(render.kind for render in one.base.renders),
            )
        if key not in known:
            known[key] = _Trials(one, budget).find()
        causes[one.minion] = known[key]
    return causes


class Budget:
    """The number of compiles, and of states in them, that are left."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._states_left = MAX_STATES

    def spend(self, states: int) -> None:
        """Use one compile.

        Raises:
            TooManyStateTrialsError: None are left.
        """
        if min(self._left, self._states_left) <= 0:
            raise TooManyStateTrialsError
        self._left -= 1
        self._states_left -= states


class _Trials:
    """Takes back changes of one minion, and caches the results."""

    def __init__(self, member: ChangedStates, budget: Budget) -> None:
        self._member = member
        self._budget = budget
        self._contents = StateChanges()
        self._elements = [*range(len(member.changes))]
        if not member.looked.pair.by_pillar_alone:
            self._elements.append(FILES)
        # By the set of changes that are taken back, for this minion only.
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
        if len(self._signs) != len(states):  # redacted values differ in other ways than clear ones
            return [self._cause(change, self._elements, proven=False) for change in states]
        alone: dict[int, list[int]] = {}
        with suppress(TooManyStateTrialsError, CannotTakeBackError):
            if len(self._elements) > MANY:
                alone = self._find_by_numbers()
            if len(alone) < len(states):
                found: dict[int, list[int]] = {}
                self._find_alone(self._elements, found)
                alone = found | alone
        causes = []
        for number, change in enumerate(states):
            own = sorted(alone.get(number, ()), key=self._elements.index)
            try:
                needed = own or self._shrink(self._signs[number])
                causes.append(self._cause(change, needed, proven=True))
            except (TooManyStateTrialsError, CannotTakeBackError):
                causes.append(self._cause(change, self._elements, proven=False))
        return causes

    def _find_by_numbers(self) -> dict[int, list[int]]:
        """Return the elements that alone make changes disappear, by few trials of many elements.

        A trial takes back the elements whose number has a digit, and another one all others. So the
        trials in which a change disappears say the number of its only cause. If it has several, a
        digit in which they differ is not said, or two orders of the elements do not agree.
        """
        order = self._elements
        mixed = sorted(order, key=lambda element: crc32(b"%d" % element))
        first, second = self._number_causes(order), self._number_causes(mixed)
        return {number: [one] for number, one in first.items() if second.get(number) == one}

    def _number_causes(self, order: Sequence[int]) -> dict[int, int]:
        numbers = dict.fromkeys(range(len(self._signs)), 0)
        for digit in range((len(order) - 1).bit_length()):
            one = frozenset(element for at, element in enumerate(order) if at >> digit & 1)
            other = frozenset(order) - one
            gone, gone_otherwise = (self._gone_without(taken) for taken in (one, other))
            numbers = {
                number: at | (number in gone) << digit
                for number, at in numbers.items()
                if (number in gone) != (number in gone_otherwise)
            }
        return {number: order[at] for number, at in numbers.items() if at < len(order)}

    def _gone_without(self, taken: frozenset[int]) -> frozenset[int]:
        """Return the numbers of the changes that are gone without some elements."""
        left = self._without(taken)
        if left is None:
            return frozenset()
        return frozenset(number for number, sign in enumerate(self._signs) if sign not in left)

    def _find_alone(self, elements: Sequence[int], alone: dict[int, list[int]]) -> None:
        """Find the elements that alone make changes disappear; many are halved first."""
        left = self._without(frozenset(elements))
        if left is not None and left.issuperset(self._signs) and len(elements) > 1:
            return  # even all of them together have no effect
        if len(elements) > 1:
            middle = len(elements) // 2
            self._find_alone(elements[:middle], alone)
            self._find_alone(elements[middle:], alone)
            return
        for number, sign in enumerate(self._signs):
            if left is not None and sign not in left:
                alone.setdefault(number, []).extend(elements)

    def _shrink(self, sign: Hashable) -> list[int]:
        """Return the smallest set of elements that makes a change disappear, or its only cause."""
        kept = list(self._elements)
        for element in reversed(self._elements):
            fewer = [one for one in kept if one != element]
            left = self._without(frozenset(fewer)) if fewer else None
            if left is not None and sign not in left:
                kept = fewer
        enough = [one for one in kept if self._is_enough(one, sign)]
        return enough if len(enough) == 1 else kept

    def _is_enough(self, element: int, sign: Hashable) -> bool:
        """Say whether an element causes a change without any other.

        Then the others are taken back with it only because the states would fail: those of the base
        may read what the pillar no longer has.
        """
        left = self._without(frozenset(self._elements) - {element})
        return left is not None and sign in left

    def _without(self, taken: frozenset[int]) -> frozenset[Hashable] | None:
        """Return the changes without some elements; None if the states fail then."""
        return recall(self._known, taken, partial(self._try, taken))

    def _try(self, taken: frozenset[int]) -> frozenset[Hashable] | None:
        if len(taken) == len(self._elements):
            return frozenset()  # this is the base
        self._budget.spend(len(self._base))
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
        """Return the lines of declarations that each make the change disappear alone."""
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
                self._budget.spend(len(self._base))
            except TooManyStateTrialsError:
                return
            states = compile_(self._member.looked.pair.after)
            fails = states.outcome in FAILING
            yield line, None if fails else frozenset(map(self._sign, self._compare(states)))


def _no_origins(_: int) -> WinningOrigins:
    return _NONE


_NONE = WinningOrigins(())


def _chunks(states: CompiledStates) -> list[dict[Any, Any]]:
    """Return the chunks with clear values, which must not be shown."""
    return [plain(chunk) for chunk in states.chunks]
