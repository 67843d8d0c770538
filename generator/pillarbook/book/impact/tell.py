"""Gathers what becomes of the states of a fleet, and tells it with a comparison of its pillar."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from pillarbook.book.fleet import FleetBook
from pillarbook.book.impact.causes import MOST_TRIALS, Compile, Member, find_causes
from pillarbook.book.impact.declared import DeclaredHunks
from pillarbook.book.impact.files import CausingFiles, FilesOf
from pillarbook.book.sides.same_data import is_same_data
from pillarbook.book.sides.states import StatePair
from pillarbook.compare.diff import Diff
from pillarbook.compare.outcomes import FAILING
from pillarbook.compare.state_changes import ChunkChanges, StateChanges
from pillarbook.compile.highstate.highstate import CompiledStates
from pillarbook.diagnostics import Collector, Diagnostic


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """The states of a minion on both sides, and how to try others."""

    pair: StatePair
    """The states."""
    try_base: Compile
    """Compiles its states in the base, with some pillar."""
    try_head: Compile
    """The same in the head."""
    files_of: FilesOf = field(default=lambda _: CausingFiles())
    """Gives the files that have a part in a change, besides the pillar's."""


class Impact:
    """Collects the states of minions, and says what becomes of them.

    Args:
        base: The fleet in the base.
        head: The fleet in the head; one book stands for both of two environments.
        declared: The hunks of the files that declare it; None for two environments.
    """

    def __init__(
        self, base: FleetBook, head: FleetBook, declared: DeclaredHunks | None = None
    ) -> None:
        self._books = base, head
        self._declared = declared
        self._looked: list[Looked] = []

    def take(self, looked: Looked | None) -> None:
        """Take a minion; None for one whose states stay, or that has none.

        What is the same on both sides is let go.
        """
        if looked is not None and not _stays(looked.pair):
            self._looked.append(looked)

    def _sides_of(self, pair: StatePair) -> Iterator[tuple[str, FleetBook, CompiledStates]]:
        base, head = self._books
        if pair.base is not None:
            yield "base", base, pair.base
        yield "head", head, pair.head

    def learn(self) -> None:
        """Let both books learn the secrets of what was taken; they are still to be settled."""
        for looked in self._looked:
            for _, book, states in self._sides_of(looked.pair):
                book.learn(states, for_show=False)

    def finish(self, diff: Diff, most: int = MOST_TRIALS) -> Diff:
        """Return a comparison that says what becomes of the states; secrets are settled.

        Args:
            diff: The comparison of the pillar.
            most: Compiles that may be spent to find out what states change because of.
        """
        base, head = self._books
        found = StateChanges()
        members = []
        for looked in self._looked:
            pair = looked.pair
            before = None if pair.base is None else base.shown_pillar(pair.base)
            after = head.shown_pillar(pair.head)
            changes = found.add(before, after)
            if changes:
                members.append(self._member(looked, after.minion, changes, diff))
        try:
            states, fates = found.finish(find_causes(members, most))
        finally:
            if self._declared is not None:
                self._declared.close()
        cited = {line for one in states for line in one.cause.lines}
        return replace(
            diff,
            states=states,
            state_fates=fates,
            diagnostics=(*diff.diagnostics, *self._tell()),
            idle=tuple(one for one in diff.idle if one.line not in cited),
        )

    def _member(self, looked: Looked, minion: str, changes: ChunkChanges, diff: Diff) -> Member:
        member = _member(looked, minion, changes, diff)
        if self._declared is None or member.by_pillar_alone:
            return member
        declared = self._declared
        return replace(
            member,
            declared=partial(declared.of, minion),
            declared_by=partial(declared.own_of, minion),
        )

    def _tell(self) -> Iterator[tuple[str, Diagnostic]]:
        """Yield what there is to say about the states of both sides."""
        found = {"base": Collector(), "head": Collector()}
        for looked in self._looked:
            for side, book, states in self._sides_of(looked.pair):
                for one in book.diagnostics_in(states):
                    found[side].add(one)
        yield from ((side, one) for side, some in found.items() for one in some.finish())


def _stays(pair: StatePair) -> bool:
    if pair.base is None or pair.head.outcome in FAILING:
        return False
    return pair.base.outcome == pair.head.outcome and is_same_data(pair.base.tree, pair.head.tree)


def _member(looked: Looked, minion: str, changes: ChunkChanges, diff: Diff) -> Member:
    pair, atoms = looked.pair, diff.minions[minion].atoms
    assert pair.base is not None  # noqa: S101 (so are changes there)
    assert pair.before is not None  # noqa: S101 (as well)
    return Member(
        minion=minion,
        base=pair.base,
        head=pair.head,
        pillars=(pair.before, pair.after),
        atoms=atoms,
        changes=tuple(diff.atoms[number - 1].change for number in atoms),
        states=changes,
        by_pillar_alone=pair.by_pillar_alone,
        try_base=looked.try_base,
        try_head=looked.try_head,
        files_of=looked.files_of,
    )
