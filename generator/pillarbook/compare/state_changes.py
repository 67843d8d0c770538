"""Compare the states of a fleet, and fold their changes over its minions."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pillarbook.compare.atoms import AckSource, Cited, content_of
from pillarbook.compare.change import Change
from pillarbook.compare.chunks import ChunkChange, compare_chunks
from pillarbook.compare.compare_values import WinningOrigins
from pillarbook.compare.outcomes import ABSENT, FAILING, find_new_faults, find_result
from pillarbook.compare.strict import Fingerprints, canonical
from pillarbook.model.shared_results import SharedResults
from pillarbook.redact.redacted_pillar import RedactedLeaf, RedactedPillar

CHUNKS = "chunks"
ChunkChanges: TypeAlias = tuple[ChunkChange, ...]


@dataclass(frozen=True, slots=True)
class StateCause:
    """Why a state changes for a minion."""

    atoms: tuple[int, ...] = ()
    """The ids of the changes of its pillar that are to be taken back for the state to stay."""
    files: tuple[str, ...] = ()
    """The files of states, or those that declare the fleet, that changed and have a part in it."""
    proven: bool = False
    """Whether compiles without them show it."""
    lines: tuple[Cited, ...] = ()
    """Lines of these files, if a piece of one is known to have that part."""


@dataclass(frozen=True, slots=True)
class StateChange:
    """One change of a state, of all minions that have it for the same cause."""

    id: int
    """Its number, counted from 1."""
    change: ChunkChange
    """The change; its place among the states is that of the first minion."""
    minions: tuple[str, ...]
    """The affected minions, in the order in which they were added."""
    cause: StateCause
    """Why."""
    change_id: str | None = None
    """Its stable id; None if it is the effect of a change of pillar."""
    acknowledged: AckSource | None = None
    """Where it is acknowledged; None if it is not."""


@dataclass(frozen=True, slots=True)
class StateResult:
    """The result of the states of one minion."""

    word: str
    """One of ``RESULTS``."""
    base: str
    """The outcome in the base, or ``absent``."""
    head: str
    changes: tuple[int, ...] = ()
    """The ids of what changes."""
    faults: tuple[str, ...] = ()
    """The errors of the head, else those of the base, each with file and line."""
    new_faults: tuple[str, ...] = ()
    """Those that it does not have in the base, if it has others there."""


def chunks_of(states: RedactedPillar) -> list[Any]:
    """Return the chunks of states; not to be changed."""
    found = states.data.get(CHUNKS)
    return found if isinstance(found, list) else []


class _Origins:
    """The origins of the values of chunks, by the position of a chunk."""

    def __init__(self, states: RedactedPillar) -> None:
        self._states = states
        self._leaves: dict[Any, list[RedactedLeaf]] | None = None

    def of(self, at: int) -> WinningOrigins:
        if self._leaves is None:
            self._leaves = {}
            for leaf in self._states.leaves:
                if leaf.path[0] == CHUNKS and len(leaf.path) > 1:
                    moved = RedactedLeaf(leaf.path[2:], leaf.value, leaf.origins)
                    self._leaves.setdefault(leaf.path[1], []).append(moved)
        return WinningOrigins(self._leaves.get(at, ()))


class StateChanges:
    """Collects the states of a fleet's minions on both sides."""

    def __init__(self) -> None:
        # By both sides' chunks, which minions share.
        self._compared: SharedResults[ChunkChanges] = SharedResults()
        self._prints = Fingerprints()
        self._results: dict[str, StateResult] = {}
        self._found: dict[str, ChunkChanges] = {}
        self._contents: SharedResults[Hashable] = SharedResults()

    def add(self, base: RedactedPillar | None, head: RedactedPillar) -> ChunkChanges:
        """Take a minion, and return what changes in its states."""
        changes = () if base is None else self._compare(base, head)
        before = ABSENT if base is None else base.outcome
        word = find_result(before, head.outcome, differs=bool(changes))
        faults = head.faults or (base.faults if base else ())
        new = find_new_faults(base, head)
        self._results[head.minion] = StateResult(word, before, head.outcome, (), faults, new)
        self._found[head.minion] = changes
        return changes

    def finish(
        self, causes: Mapping[str, Sequence[StateCause]]
    ) -> tuple[tuple[StateChange, ...], dict[str, StateResult]]:
        """Return the changes, those of many minions first, and the result of each minion."""
        folded: dict[Hashable, tuple[ChunkChange, StateCause, list[str]]] = {}
        keys: dict[str, list[Hashable]] = {}
        for minion, changes in self._found.items():
            own = causes.get(minion) or [StateCause()] * len(changes)
            for change, cause in zip(changes, own, strict=True):
                key = (self.content_of(change), cause)
                members = folded.setdefault(key, (change, cause, []))[2]
                if members[-1:] != [minion]:
                    members.append(minion)
                keys.setdefault(minion, []).append(key)
        order = sorted(folded, key=lambda key: -len(folded[key][2]))
        ids = {key: number for number, key in enumerate(order, 1)}
        told = [
            StateChange(ids[key], change, tuple(minions), cause)
            for key in order
            for change, cause, minions in [folded[key]]
        ]
        results = {
            minion: replace(
                result, changes=tuple(dict.fromkeys(map(ids.__getitem__, keys.get(minion, ()))))
            )
            for minion, result in self._results.items()
        }
        return tuple(told), results

    def _compare(self, base: RedactedPillar, head: RedactedPillar) -> ChunkChanges:
        # If a side has errors, Salt runs nothing.
        if base.outcome in FAILING or head.outcome in FAILING:
            return ()
        old, new = chunks_of(base), chunks_of(head)
        return self._compared.find(
            lambda: compare_chunks(old, new, _Origins(base).of, _Origins(head).of), old, new
        )

    def content_of(self, change: ChunkChange) -> Hashable:
        """Return a change, comparable, without the position of its state among the others."""
        return self._contents.find(
            lambda: (
                tuple(map(canonical, change.state)),
                change.kind,
                change.overtakes,
                tuple(map(self._argument, change.arguments)),
            ),
            change,
        )

    def _argument(self, change: Change) -> Hashable:
        origins = change.before_origin, change.after_origin
        files = tuple(None if one is None else one.file for one in origins)
        return (content_of(change, self._prints), *files)
