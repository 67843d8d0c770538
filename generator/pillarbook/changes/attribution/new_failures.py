"""Which changes only follow from a new failure: they disappear with the failing file of the base.

If the file of a failure did not change, the cause is in another file: a map that it imports, a data
file, the inventory. These are tried next.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TypeAlias

from pillarbook.changes.attribution.hunk_trials import AffectedMinion
from pillarbook.changes.attribution.hunks import ChangedFile
from pillarbook.changes.comparison import Sides
from pillarbook.compare.atoms import Atom
from pillarbook.compare.change import Change
from pillarbook.compare.diff import Diff
from pillarbook.compare.outcomes import FAILING
from pillarbook.compare.pillars import Comparer
from pillarbook.compare.split_atoms import split_atoms
from pillarbook.compare.strict import Fingerprints, canonical
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.diagnostics import Diagnostic, PillarbookError, Severity
from pillarbook.diagnostics.siblings import MISSING
from pillarbook.redact import RedactedPillar
from pillarbook.redact.redacted_pillar import RedactedOrigin
from pillarbook.session.session import Session

if TYPE_CHECKING:
    from pillarbook.model import KeyPath

Follows: TypeAlias = Mapping[str, Mapping[int, int]]
"""By minion: the ids of its atoms that follow from a failure, each with the failure's index."""

MAX_FILES = 8
"""The most files that are tried for each failure; each costs a compile for every kind of minion."""
# Limits the time of a comparison: a tree may fail in another way for each minion.
MAX_KINDS = 500
"""The most kinds of minions whose failures are tried one by one; those of others, together."""
# Each opens the tree again, which takes as long as the tree is large.
MAX_OWN = 50
"""The most failures with a changed file of their own that are tried one by one."""
# A minion may have thousands of failing files, and each is tried with all the others.
MAX_RENDERS = 50_000
"""The most files that are rendered for all these trials; then failures are tried together."""


def mark_failures(
    sides: Sides, diff: Diff, files: Sequence[ChangedFile], affected: Iterable[AffectedMinion]
) -> Diff:
    """Return a comparison whose atoms name the new failure that they follow from.

    The secrets of both sides are frozen; of the affected minions there may be one of each kind.
    """
    known = {
        replace(one, minions=(), caused_by=None): number
        for number, (side, one) in enumerate(diff.diagnostics)
        if side == "head"
    }
    # Minions with changes of the same keys and the same errors have the same reason.
    kinds: dict[Hashable, AffectedMinion] = {}
    kind_of = {name: _kind_of(diff, name) for name in diff.minions}
    for one in affected:
        kind = kind_of[one.after.minion]
        if kind is not None:
            kinds.setdefault(kind, one)
    found = _Consequences(sides, diff, files)
    members = list(kinds.values())
    failing = _group_by_failure(sides, members[:MAX_KINDS], known)
    late = _group_by_failure(sides, members[MAX_KINDS:], known)
    for failure, some in failing.items():
        if not found.look_at(failure, known[failure], some):
            late.setdefault(failure, []).extend(some)
    if late:
        found.look_at_together({one: (known[one], some) for one, some in late.items()})
    by_kind = {
        kind_of[name]: [follows.get(atom) for atom in diff.minions[name].atoms]
        for name, follows in found.follows.items()
    }
    return mark_consequences(
        diff,
        {
            name: {
                atom: number
                for atom, number in zip(result.atoms, by_kind.get(kind_of[name], ()), strict=False)
                if number is not None
            }
            for name, result in diff.minions.items()
        },
    )


class _Consequences:
    """Collects the changes that follow from each failure."""

    def __init__(self, sides: Sides, diff: Diff, files: Sequence[ChangedFile]) -> None:
        self._sides = sides
        self._diff = diff
        self._files = files
        self._by_name = {hunk.shown: file for file in files for hunk in file.hunks}
        # Which folder is a root is not known here: an SLS has the names of all ends of the path.
        self._by_sls = {name: file for file in files for name in _removed_sls(file)}
        self._comparer = Comparer()
        self._prints = Fingerprints()
        self._renders_left = MAX_RENDERS
        self._own_left = MAX_OWN
        self._errors_of: dict[str, set[Hashable]] = {}
        self.follows: dict[str, dict[int, int]] = {}
        """By minion: its atoms that follow from a failure, with the failure's number."""

    def look_at(self, failure: Diagnostic, number: int, members: list[AffectedMinion]) -> bool:
        """Find what follows from a failure of some minions; say whether there was time for it."""
        own = bool(self._files_of(failure))
        if self._renders_left <= 0 or (own and self._own_left <= 0):
            return False
        self._own_left -= own
        for file in self._candidates(failure):
            members = self._take_back(file, failure, number, members)
            if not members:
                break
        return True

    def look_at_together(
        self, failing: Mapping[Diagnostic, tuple[int, list[AffectedMinion]]]
    ) -> None:
        """Find the changes that follow from failures, each in a file of its own.

        All files are taken back at once: the values of a file are lost because of its failure.

        ``failing`` has the number of each failure, and the minions that have it.
        """
        patch = {}
        asked: dict[str, AffectedMinion] = {}
        numbers: dict[str, dict[str, int]] = {}
        for failure, (number, members) in failing.items():
            for file in self._files_of(failure)[:1]:
                patch[file.file] = file.base
                for member in members:
                    asked[member.after.minion] = member
                    numbers.setdefault(member.after.minion, {})[file.hunks[0].shown] = number
        try:
            with self._sides.try_with(patch) as trial:
                for minion, member in asked.items():
                    compiled = trial.compile(member.head, member.base)
                    if compiled is not None:
                        without = trial.session.shown.redact_with_faults(compiled)
                        self._note_files(member, without, numbers[minion])
        except PillarbookError:  # as for a single file
            return

    def _note_files(
        self, member: AffectedMinion, without: RedactedPillar, numbers: Mapping[str, int]
    ) -> None:
        """Note the values of some files that are lost with a failure, and are back without it.

        ``without`` is the minion's pillar with these files of the base; ``numbers`` has the number
        of each file's failure, by the file's shown name.
        """
        for atom, change in self._not_left(member, without):
            before = change.before_origin
            if before is not None and before.file in numbers:
                follows = self.follows.setdefault(member.after.minion, {})
                follows.setdefault(atom, numbers[before.file])

    def _candidates(self, failure: Diagnostic) -> list[ChangedFile]:
        """Return the files that may cause a failure, the most likely first."""
        removed = [file for file in self._files if file.head is None]
        return list(dict.fromkeys([*self._files_of(failure), *removed, *self._files]))[:MAX_FILES]

    def _files_of(self, failure: Diagnostic) -> list[ChangedFile]:
        """Return the removed file that a failure misses, or the changed one that it is in."""
        missing = failure.missing if failure.code == MISSING else None
        place = failure.position
        found = [
            missing and self._by_sls.get(missing[1]),
            place and self._by_name.get(place.file),
        ]
        return [file for file in found if file]

    def _take_back(
        self, file: ChangedFile, failure: Diagnostic, number: int, members: list[AffectedMinion]
    ) -> list[AffectedMinion]:
        """Try a file of the base; return the minions of which that says nothing.

        They still fail, or another failure returns with the file, and its losses are no proof.
        """
        left = []
        # An SLS that does not exist is missed by a file that gives what else it says.
        gives_nothing = failure.code != MISSING and _is_of(failure, file)
        try:
            with self._sides.try_with({file.file: file.base}) as trial:
                for member in members:
                    self._renders_left -= len(member.head.renders)
                    compiled = trial.compile(member.head, member.base)
                    if compiled is None or not self._is_mended(
                        trial.session, compiled, member, failure
                    ):
                        left.append(member)
                    else:
                        shown = trial.session.shown.redact_with_faults(compiled)
                        self._note(member, shown, number, gives_nothing=gives_nothing)
        except PillarbookError:  # the declarations have errors then, so there is no fleet
            return members
        return left

    def _is_mended(
        self, trial: Session, compiled: CompiledPillar, member: AffectedMinion, failure: Diagnostic
    ) -> bool:
        """Say whether a trial lacks a failure of the head, and has no other one instead.

        A file that fails on both sides, each time for another reason, loses nothing.
        """
        found = {_identity(one): one for one in _errors(trial, compiled)}
        if _identity(failure) in found:
            return False
        minion = member.after.minion
        if minion not in self._errors_of:
            self._errors_of[minion] = set(map(_identity, _errors(self._sides.head, member.head)))
        known = self._errors_of[minion]
        other = [one for name, one in found.items() if name not in known]
        return not other or (
            _failing_renders(compiled) <= _failing_renders(member.head)
            and all(one.code != MISSING for one in other)
        )

    def _note(
        self, member: AffectedMinion, without: RedactedPillar, number: int, *, gives_nothing: bool
    ) -> None:
        """Note the changes that a minion does not have without the failure.

        ``without`` is its pillar with a file of the base. If this file gives nothing in the head,
        all that differs is because of the failure; any other also brings new values in the head.
        """
        follows = self.follows.setdefault(member.after.minion, {})
        is_own = (lambda _: False) if gives_nothing else self._own_changes(member)
        for atom, change in self._not_left(member, without):
            if not is_own(change):
                follows.setdefault(atom, number)

    def _not_left(
        self, member: AffectedMinion, without: RedactedPillar
    ) -> Iterator[tuple[int, Change]]:
        """Yield the atoms of a minion that another pillar of it does not have, with the changes."""
        left: set[Hashable] = set()
        if member.before is not None and without.has_data:
            left = {self._content(one) for one in self._comparer.compare(member.before, without)}
        atoms = self._diff.minions[member.after.minion].atoms
        for atom, change in zip(atoms, member.changes, strict=True):
            if self._content(change) not in left:
                yield atom, change

    def _own_changes(self, member: AffectedMinion) -> Callable[[Change], bool]:
        """Return a test for changes that a minion would have without any failure.

        A failure loses what the failing files gave, and lets through what was overridden in the
        base. All else is of files that render in the head.
        """
        given: dict[Hashable, list[KeyPath]] = {}
        for leaf in () if member.before is None else member.before.leaves:
            for origin in leaf.origins:
                given.setdefault(self._spot(origin), []).append(leaf.path)
        rendered = {
            (one.files[0].saltenv, one.sls) for one in member.head.renders if one.tree is not None
        }

        def is_own(change: Change) -> bool:
            before, after = change.before_origin, change.after_origin
            if before is not None and (before.saltenv, before.sls) in rendered:
                return True
            path = change.path
            paths = () if after is None else given.get(self._spot(after), ())
            return after is not None and all(one[: len(path)] != path for one in paths)

        return is_own

    def _spot(self, origin: RedactedOrigin) -> Hashable:
        """Return what set a value, without its line, because changes move lines."""
        return origin.file, origin.sls, origin.saltenv, self._prints.of(origin.value)

    def _content(self, change: Change) -> Hashable:
        """Return a change without the key before it, because a failure removes that key."""
        return (
            change.kind,
            tuple(map(canonical, change.path)),
            self._prints.of(change.before),
            self._prints.of(change.after),
        )


def _removed_sls(file: ChangedFile) -> Iterator[str]:
    """Yield the names that the SLS of a removed file may have."""
    if file.head is None and file.file.suffix == ".sls":
        path = PurePosixPath(file.hunks[0].shown).with_suffix("")
        parts = path.parts[:-1] if path.name == "init" else path.parts
        yield from (".".join(parts[at:]) for at in range(len(parts)))


def _group_by_failure(
    sides: Sides, members: Iterable[AffectedMinion], known: Collection[Diagnostic]
) -> dict[Diagnostic, list[AffectedMinion]]:
    """Return the new failures of some minions, those that are known, with the minions."""
    found: dict[Diagnostic, list[AffectedMinion]] = {}
    for member in members:
        for failure in _new_failures(sides, member):
            if failure in known:
                found.setdefault(failure, []).append(member)
    return found


def _is_of(failure: Diagnostic, file: ChangedFile) -> bool:
    """Say whether a failure is in a file."""
    place = failure.position
    return place is not None and any(hunk.shown == place.file for hunk in file.hunks)


def _kind_of(diff: Diff, minion: str) -> Hashable:
    """Return a key that is equal for minions with changes of the same keys and the same errors.

    None for a minion that has no changes or does not fail.
    """
    result = diff.minions[minion]
    if not result.atoms or result.head not in FAILING:
        return None
    changes = (diff.atoms[number - 1].change for number in result.atoms)
    keys = tuple((one.kind, *map(canonical, one.path)) for one in changes)
    return keys, result.base, result.head, result.faults


def _new_failures(sides: Sides, minion: AffectedMinion) -> Iterator[Diagnostic]:
    """Yield the errors that a minion has only in the head."""
    if minion.base is None or minion.head.outcome not in FAILING:
        return
    before = set(map(_identity, _errors(sides.base, minion.base)))
    for one in _errors(sides.head, minion.head):
        if _identity(one) not in before:
            yield replace(one, minions=())


def _failing_renders(compiled: CompiledPillar) -> set[tuple[str, str]]:
    """Return the files that do not render."""
    failing = (one.files[0] for one in compiled.renders if one.message is not None and one.files)
    return {(read.saltenv, read.path) for read in failing}


def _errors(session: Session, compiled: CompiledPillar) -> Iterator[Diagnostic]:
    found = session.shown.diagnostics_in(compiled)
    return (one for one in found if one.severity is Severity.ERROR)


def _identity(failure: Diagnostic) -> Hashable:
    """Return a failure without its line, because changes move lines."""
    return failure.code, failure.message, failure.position and failure.position.file


def mark_consequences(diff: Diff, follows: Follows) -> Diff:
    """Return a comparison whose atoms name the failure that they follow from.

    An atom that follows from a failure on only some of its minions is split, because all minions of
    an atom have it for the same reason. Atoms get new ids. ``follows`` has the atoms that follow
    from failures; a failure's number is its index in ``diff.diagnostics``.
    """

    def mark(atom: Atom, failure: int | None) -> Atom:
        return replace(atom, consequence_of=failure)

    return split_atoms(diff, follows, mark)
