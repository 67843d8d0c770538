"""Compile minions with some hunks of a change taken back."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pillarbook.changes.attribution.hunks import ChangedFile, Hunk
from pillarbook.changes.comparison import Sides
from pillarbook.changes.comparison.trial import Trial
from pillarbook.compare.change_positions import ChangePositions, Left, Placed
from pillarbook.compare.outcomes import FAILING
from pillarbook.compare.pillars import Changes, Comparer
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.diagnostics import PillarbookError
from pillarbook.redact import RedactedPillar

# Limits the time of a comparison: a commit may have any number of hunks. Causes that are not tested
# by then are shown as proposals.
MAX_COMPILES = 4_000
"""The most compiles of a minion for all trials together."""
MAX_VALUES = 500_000
"""The most values in all these compiles, because the time depends on the number of values."""
MAX_COMPILES_OF_VALUE = 20
"""How often each value of the minions may be compiled, if that is more; in a trial, this takes a
quarter of the time of the first compile."""
VALUES_OF_FILE = 4
"""How many values take as long as one file, which may have none, because it fails."""
# Most hunks affect few minions. To compile them all is cheaper than to open the trial again.
FEW = 2
"""The most affected minions that are compiled, although some are not asked for."""


class TooManyTrialsError(Exception):
    """The trials have reached their limit; causes that are not known yet stay proposals."""


@dataclass(frozen=True, slots=True)
class AffectedMinion:
    """A minion of the head that a change affects."""

    base: CompiledPillar | None
    """Its pillar in the base; None if the minion is new."""
    head: CompiledPillar
    before: RedactedPillar | None
    after: RedactedPillar
    changes: Changes


@dataclass(frozen=True, slots=True, eq=False)
class Representative:
    """A minion that represents all minions with the same changes."""

    key: Hashable
    """Its kind, or its number if each minion represents only itself."""
    compiled: CompiledPillar
    compiled_base: CompiledPillar | None
    """Its pillar in the base; None if it is new."""
    base: RedactedPillar | None
    head: RedactedPillar
    atoms: tuple[int, ...]
    changes: tuple[Placed, ...]
    """The changes of its atoms, in their order."""

    @property
    def is_compared(self) -> bool:
        """Whether its atoms contain all of its changes: it has data on both sides."""
        return self.base is not None and self.base.has_data and self.head.has_data


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The result of a trial for a minion."""

    left: Left
    """The differences between the trial and the base."""
    changed: tuple[Placed, ...]
    """The differences between the trial and the head."""
    fails: bool
    """Whether it has errors that neither head nor base has."""
    differs: bool
    """Whether anything differs from the head, including errors."""
    is_mended: bool
    """Whether it has data, and no errors that the base lacks."""


BROKEN = TrialResult(Left(()), (), fails=True, differs=True, is_mended=False)
"""The result of a trial without a pillar."""


class HunkTrials:
    """Compiles minions without some hunks, and caches the results."""

    def __init__(
        self,
        sides: Sides,
        files: Sequence[ChangedFile],
        members: Sequence[Representative],
        places: ChangePositions,
        most: int = MAX_COMPILES,
    ) -> None:
        self._sides = sides
        self._files = files
        self._members = members
        self._places = places
        self._left = most
        values = sum(len(one.head.leaves) for one in members)
        self._values_left = max(MAX_VALUES, MAX_COMPILES_OF_VALUE * values)
        self._comparer = Comparer()
        # By the set of hunks: base, head and members are fixed, so a trial depends on nothing else
        # (docs/decisions/0019). A member that is not affected has None. Emptied after the
        # comparison.
        self._known: dict[frozenset[Hunk], dict[Representative, TrialResult | None]] = {}
        self.other_fleets: set[frozenset[Hunk]] = set()
        """Hunks without which the fleet has other minions."""

    def without(
        self, taken_back: Collection[Hunk], members: Sequence[Representative] | None = None
    ) -> Mapping[Representative, TrialResult]:
        """Return the result for each affected member, of all or of some ``members``.

        The others may be not compiled, because most atoms are those of few members.

        Raises:
            TooManyTrialsError: The limit of trials is reached.
        """
        key = frozenset(taken_back)
        known = self._known.setdefault(key, {})
        asked = self._members if members is None else members
        new = [member for member in asked if member not in known]
        if new:
            if self.are_over:
                raise TooManyTrialsError
            known.update(self._try(key, new))
        results = ((member, known[member]) for member in asked)
        return {member: result for member, result in results if result is not None}

    @property
    def are_over(self) -> bool:
        """Whether the limit of trials is reached."""
        return min(self._left, self._values_left) <= 0

    def touches_any(self, taken_back: Collection[Hunk]) -> bool:
        """Say whether any member may have another pillar without some hunks.

        Raises:
            TooManyTrialsError: The limit of trials is reached.
        """
        if self._left <= 0:
            raise TooManyTrialsError
        self._left -= 1
        try:
            with self._sides.try_with(self._files_without(taken_back)) as trial:
                return trial.minions != self._sides.ids or any(
                    trial.touches(one.compiled) for one in self._members
                )
        except PillarbookError:  # as for `without`
            return True

    def _files_without(self, taken_back: Collection[Hunk]) -> dict[Path, bytes | None]:
        files = {hunk.file for hunk in taken_back}
        return {one.file: one.without(taken_back) for one in self._files if one.file in files}

    def _try(
        self, taken_back: frozenset[Hunk], members: Sequence[Representative]
    ) -> dict[Representative, TrialResult | None]:
        self._left -= 1
        try:
            with self._sides.try_with(self._files_without(taken_back)) as trial:
                if trial.minions != self._sides.ids:
                    self.other_fleets.add(taken_back)
                return self._look_at_all(trial, members, self._known[taken_back])
        # Half of a change need not be a valid declaration.
        # the declarations have errors without the hunk, so there is no fleet
        except PillarbookError:
            return dict.fromkeys(members, BROKEN)

    def _look_at_all(
        self, trial: Trial, asked: Sequence[Representative], known: Collection[Representative]
    ) -> dict[Representative, TrialResult | None]:
        """Return the results of some members, and of all others if few are affected."""
        rest = [one for one in self._members if one not in known]
        affected = [one for one in rest if trial.touches(one.compiled)]
        found: dict[Representative, TrialResult | None] = dict.fromkeys(rest)
        for one in affected:
            if one in asked or len(affected) <= FEW:
                found[one] = self._look_at(one, trial)
            else:
                del found[one]
        return found

    def _look_at(self, member: Representative, trial: Trial) -> TrialResult | None:
        """Return the result for a member; None if it is not affected."""
        compiled = trial.compile(member.compiled, member.compiled_base)
        if compiled is member.compiled:
            return None
        if compiled is None:
            self._left -= 1
            return BROKEN
        if compiled is member.compiled_base and member.base is not None:
            shown = member.base
        else:
            self._left -= 1
            shown = trial.session.shown.redact_with_faults(compiled)
            self._values_left -= len(shown.leaves) + VALUES_OF_FILE * len(compiled.renders)
        changed = self._compare(member.head, shown)
        return TrialResult(
            left=Left(self._compare(member.base, shown)),
            changed=changed,
            fails=_fails(member, shown),
            differs=bool(changed)
            or shown.outcome != member.head.outcome
            or _faults(shown) != _faults(member.head),
            is_mended=shown.has_data
            and _faults(shown) <= (_faults(member.base) if member.base else set()),
        )

    def _compare(self, one: RedactedPillar | None, other: RedactedPillar) -> tuple[Placed, ...]:
        changes: Changes = ()
        if one is not None and one.has_data and other.has_data:
            changes = self._comparer.compare(one, other)
        return self._places.all_of(changes)


def _fails(member: Representative, shown: RedactedPillar) -> bool:
    """Say whether a trial fails for a minion in a way that is new."""
    if not shown.has_data:
        return True
    if shown.outcome not in FAILING or member.head.outcome in FAILING:
        return False
    return member.base is None or not _faults(shown) <= _faults(member.base)


def _faults(pillar: RedactedPillar) -> set[str]:
    """Return the errors without their lines, because hunks move lines."""
    return {fault.partition(": ")[2] or fault for fault in pillar.faults}
