"""The comparison of two sides of a fleet: the result of each minion, and the atoms of change."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pillarbook.compare.atoms import Atom, Atoms, Cited
from pillarbook.compare.ignore import Ignore
from pillarbook.compare.outcomes import ABSENT, RESULTS, find_new_faults, find_result
from pillarbook.compare.pillars import Changes, Comparer
from pillarbook.compare.secret_pairs import NOT_TOLD, describe_secrets
from pillarbook.compare.state_changes import StateChange, StateResult
from pillarbook.compare.unknown_values import MaybeChanged, UnknownValues
from pillarbook.diagnostics import Diagnostic
from pillarbook.model import KeyPath, format_path
from pillarbook.model.phrases import count, list_some
from pillarbook.redact.redacted_pillar import RedactedPillar, RedactedTarget, secret_of

MAX_NAMED = 5
"""Key paths that a note names."""


@dataclass(frozen=True, slots=True)
class MinionResult:
    """The result of one minion."""

    word: str
    """One of ``RESULTS``; changes that are ignored do not count."""
    base: str
    """Its outcome in the base, or ``absent``."""
    head: str
    """Its outcome in the head, or ``absent``."""
    atoms: tuple[int, ...]
    """The ids of its atoms, in the order to apply."""
    faults: tuple[str, ...] = ()
    """The errors of the head, else those of the base, each with file and line."""
    secrets: tuple[KeyPath, ...] = ()
    """Of a minion that is new: the paths of the secrets that it gets."""
    keys: tuple[Any, ...] = ()
    """Of a minion that is new or removed: its top-level keys."""
    lost: tuple[RedactedTarget, ...] = ()
    """The targets of the base of which it no longer gets any SLS."""
    new_faults: tuple[str, ...] = ()
    """Of a minion that fails on both sides: the faults that it has only in the head."""


@dataclass(frozen=True, slots=True)
class Idle:
    """A hunk that changes nothing for anyone."""

    line: Cited
    """A line of it."""
    why: str
    """Why, as the end of a sentence; empty if that is not known."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """What a rule of the configuration ignores."""

    rule: int
    """The rule's number, counted from 1."""
    keys: tuple[str, ...]
    """The patterns of keys that it is about; empty for all."""
    atoms: int
    """How many atoms it ignores."""
    minions: int
    """How many minions these affect."""


@dataclass(frozen=True)
class Diff:
    """What differs between two sides."""

    base: str
    """What the base is called."""
    head: str
    """What the head is called."""
    minions: Mapping[str, MinionResult]
    """Every minion of either side."""
    atoms: tuple[Atom, ...]
    """The changes, each with the minions that it affects."""
    diagnostics: tuple[tuple[str, Diagnostic], ...]
    """The diagnostics of a side: ``base`` or ``head``."""
    notes: tuple[str, ...] = ()
    """What a reader has to know about the comparison itself."""
    bare: tuple[str, ...] = ()
    """Why there is nothing on a side: to show all of the other as a change would say nothing."""
    idle: tuple[Idle, ...] = ()
    """The hunks that change nothing for anyone."""
    ignored: tuple[Ignored, ...] = ()
    """What each rule ignores, of all rules."""
    values: int = 0
    """How many values of the head were compared one by one."""
    skipped: int = 0
    """How many minions are the same because they read nothing that changed."""
    unknown: int = 0
    """How many values are not compared because they are unknown, over all minions."""
    maybe_changed: tuple[MaybeChanged, ...] = ()
    """Those of them that come from another source on each side."""
    may_hide_changes: bool = False
    """Whether changed lines may change values that are unknown, or that render on neither side."""
    states: tuple[StateChange, ...] = ()
    """What changes in the states."""
    state_results: Mapping[str, StateResult] = field(default_factory=dict)
    """The result of the states of each minion that is affected; those of others are unchanged."""
    not_compared: tuple[str, ...] = ()
    """Sentences about states and files that changed, or may have, and are not compared."""
    environment: str = ""
    """The base if it is an environment that is compared with another one, not an earlier time."""

    @cached_property
    def shown(self) -> tuple[Atom, ...]:
        """The atoms that no rule ignores and that do not only follow from a failure."""
        return tuple(
            atom for atom in self.atoms if atom.ignored is None and atom.consequence_of is None
        )

    @cached_property
    def counted(self) -> tuple[Atom, ...]:
        """The atoms that are shown and not acknowledged in the base."""
        return tuple(atom for atom in self.shown if atom.acknowledged != "base")

    @cached_property
    def told_states(self) -> tuple[StateChange, ...]:
        """The changes of states, without those that another state only pushes to another position.

        A state that is new, gone or moved pushes all those after it.
        """
        told = (one for one in self.states if one.change.kind != "moved" or one.change.overtakes)
        return tuple(told)

    @cached_property
    def changed(self) -> frozenset[str]:
        """The minions whose values change, other than by what follows from a failure."""
        return frozenset(minion for atom in self.shown for minion in atom.minions)

    @cached_property
    def lost_a_target(self) -> frozenset[str]:
        """The minions that lose a target, and keys with it other than because of a failure.

        Not those of which the base acknowledges all that they lose.
        """
        removed = (atom for atom in self.counted if atom.change.kind == "removed")
        return frozenset(
            name for atom in removed for name in atom.minions if self.minions[name].lost
        )

    @cached_property
    def follow_on(self) -> frozenset[str]:
        """The errors of states that only follow from another error, as results list them."""
        return frozenset(
            f"{one.position}: {one.message}"
            for side, one in self.diagnostics
            if side == "head" and one.of_states and one.caused_by is not None
        )

    @cached_property
    def results(self) -> Counter[str]:
        """How many minions have each result, the worst first."""
        found = Counter(result.word for result in self.minions.values())
        return Counter({word: found[word] for word in RESULTS if found[word]})

    def changes(self, minion: str) -> bool:
        """Say whether a minion is not unchanged, or its states are not."""
        states = self.state_results.get(minion)
        is_same = states is None or states.word == "unchanged"
        return not is_same or self.minions[minion].word != "unchanged"

    @cached_property
    def only_states(self) -> tuple[str, ...]:
        """The minions whose states change though their pillar does not."""
        results = self.minions.items()
        return tuple(
            name for name, one in results if one.word == "unchanged" and self.changes(name)
        )


class DiffBuilder:
    """Compares the minions of two sides, one after the other."""

    def __init__(self, ignore: Ignore | None = None) -> None:
        self._ignore = ignore or Ignore(())
        self._comparer = Comparer()
        self._atoms = Atoms()
        self._results: dict[str, tuple[str, str, str, tuple[str, ...]]] = {}
        self._secrets: dict[str, tuple[KeyPath, ...]] = {}
        self._keys: dict[str, tuple[Any, ...]] = {}
        self._lost: dict[str, tuple[RedactedTarget, ...]] = {}
        self._new_faults: dict[str, tuple[str, ...]] = {}
        self._new_targets = NewTargets()
        self._values = 0
        self._skipped = 0
        self._unknown = UnknownValues()

    def add(self, base: RedactedPillar | None, head: RedactedPillar | None) -> Changes:
        """Take a minion, and return what changes for it, with what is ignored.

        One of the two is None if that side lacks the minion.
        """
        minion = next(side.minion for side in (base, head) if side is not None)
        changes: Changes = ()
        if base is not None and head is not None and base.has_data and head.has_data:
            changes = self._comparer.compare(base, head)
            self._values += len(head.leaves)
            self._unknown.add(base, head, changes)
            if any(change.kind == "removed" for change in changes):
                self._lost[minion] = find_lost_targets(base, head)
                if self._lost[minion]:
                    self._new_targets.add_loser(base, head)
        if head is not None:
            self._new_targets.add(head)
        before, after = _outcome(base), _outcome(head)
        ignored = self._ignore.find(minion, changes)
        differs = None in ignored if ignored else bool(changes)
        word = find_result(before, after, differs=differs)
        if changes:
            self._atoms.add(minion, changes, ignored)
        faults = () if head is None else head.faults or (base.faults if base else ())
        self._results[minion] = (word, before, after, faults)
        self._new_faults[minion] = find_new_faults(base, head)
        if base is None and head is not None:
            self._secrets[minion] = _secrets_of(head)
        alone = head if base is None else base if head is None else None
        if alone is not None and alone.has_data:
            self._keys[minion] = tuple(alone.data)
        return changes

    def word_of(self, minion: str) -> str:
        """Return the word for a minion that was taken."""
        return self._results[minion][0]

    def skip(self, minion: str, outcome: str) -> None:
        """Take a minion that is known to be the same on both sides, and to have no errors."""
        self._skipped += 1
        self._results[minion] = (find_result(outcome, outcome, differs=False), outcome, outcome, ())

    def finish(
        self,
        base: str,
        head: str,
        diagnostics: Sequence[tuple[str, Diagnostic]],
        notes: Sequence[str] = (),
        bare: Sequence[str] = (),
    ) -> Diff:
        """Return the comparison."""
        atoms, by_minion = self._atoms.finish()
        minions = {
            name: MinionResult(
                word,
                old,
                new,
                by_minion.get(name, ()),
                faults,
                self._secrets.get(name, ()),
                self._keys.get(name, ()),
                self._lost.get(name, ()),
                self._new_faults.get(name, ()),
            )
            for name, (word, old, new, faults) in self._results.items()
        }
        return Diff(
            base,
            head,
            minions,
            atoms,
            tuple(diagnostics),
            notes=(
                *notes,
                *self._ignore.notes,
                *self._new_targets.describe(),
                *self._describe_secrets(atoms),
                *self._unknown.describe(),
            ),
            bare=tuple(bare),
            ignored=tuple(self._count_ignored(atoms)),
            values=self._values,
            skipped=self._skipped,
            unknown=self._unknown.total,
            maybe_changed=self._unknown.maybe_changed(),
        )

    def _describe_secrets(self, atoms: Sequence[Atom]) -> Iterator[str]:
        """Yield notes on secrets that did not change, and on those that may have."""
        same = [format_path(path) for path in self._comparer.reencrypted]
        if same:
            yield f"re-encrypted, same value: {list_some(sorted(same), MAX_NAMED, str)}"
        untold = sum(describe_secrets(atom.change) == NOT_TOLD for atom in atoms)
        if untold:
            yield f"{NOT_TOLD}: {count(untold, 'secret')}"

    def _count_ignored(self, atoms: Sequence[Atom]) -> Iterator[Ignored]:
        for number, keys in enumerate(self._ignore.shown_keys(), 1):
            own = [atom for atom in atoms if atom.ignored == number]
            minions = {minion for atom in own for minion in atom.minions}
            yield Ignored(number, keys, len(own), len(minions))


def _secrets_of(pillar: RedactedPillar) -> tuple[KeyPath, ...]:
    return tuple(leaf.path for leaf in pillar.leaves if secret_of(leaf.value) is not None)


def _outcome(side: RedactedPillar | None) -> str:
    return ABSENT if side is None else side.outcome


def find_lost_targets(base: RedactedPillar, head: RedactedPillar) -> tuple[RedactedTarget, ...]:
    """Return the targets of the base of which a minion no longer gets any SLS.

    If the head has a new target that matches nobody, a typo is the likely reason.
    A target that still matches is not lost, even if it gives other SLS files; nor is one whose
    SLS the minion now gets from another target, such as a renamed one. The environment does not
    count: a minion that moves to another one gets what the same targets give there.
    """
    matched = [one for one in head.targets if one.matched]
    kept = {(one.match, one.target) for one in matched}
    given = {sls for one in matched for sls in one.sls}
    return tuple(
        one
        for one in base.targets
        if one.matched and one.sls
        if (one.match, one.target) not in kept and given.isdisjoint(one.sls)
    )


class NewTargets:
    """Finds targets of the head that replace a lost one and match no compared minion."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], RedactedTarget] = {}
        self._matched: set[tuple[str, str]] = set()

    def add(self, head: RedactedPillar) -> None:
        """Take a minion of the head, whether or not it lost a target."""
        self._matched.update((one.match, one.target) for one in head.targets if one.matched)

    def add_loser(self, base: RedactedPillar, head: RedactedPillar) -> None:
        """Take a minion that lost a target, and what the head has instead."""
        known = {(one.match, one.target) for one in base.targets}
        for one in head.targets:
            if (one.match, one.target) not in known:
                self._found.setdefault((one.match, one.target), one)

    def describe(self) -> Iterator[str]:
        """Yield a note on each of them."""
        for name, one in self._found.items():
            if name not in self._matched:
                matches = "matches none of the compared minions"
                yield f"the new target '{one.target}' in {one.place} {matches}"
