"""Find the changed lines that are the cause of each atom of a comparison."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pillarbook.changes.attribution.changed_files import find_changed
from pillarbook.changes.attribution.find_causes import CauseFinder, ChangeCause
from pillarbook.changes.attribution.hunk_trials import (
    MAX_COMPILES,
    AffectedMinion,
    HunkTrials,
)
from pillarbook.changes.attribution.hunks import Hunk, find_line, holds, line_of
from pillarbook.changes.attribution.idle_lines import (
    describe_hidden,
    describe_idle,
    find_hidden,
    find_idle,
)
from pillarbook.changes.attribution.minion_kinds import Kinds, find_kinds
from pillarbook.changes.attribution.new_failures import mark_failures
from pillarbook.changes.comparison import Sides
from pillarbook.compare.atoms import Atom
from pillarbook.compare.change_positions import ChangePositions
from pillarbook.compare.diff import Diff
from pillarbook.compare.split_atoms import split_atoms
from pillarbook.model.phrases import count

ALL_BELOW = 64
"""The most affected minions of which each one is examined."""


def explain_changes(
    sides: Sides, diff: Diff, affected: Sequence[AffectedMinion], most: int = MAX_COMPILES
) -> Diff:
    """Return a comparison whose atoms cite the lines that are their cause.

    Atoms that only follow from a new failure name that failure.

    ``most`` limits the number of compiles; if it is reached, the other causes are proposals.
    """
    compiled = (one for pair in affected for one in (pair.base, pair.head) if one is not None)
    files = find_changed(sides, compiled)
    diff = mark_failures(sides, diff, files, affected)
    hunks = [hunk for file in files for hunk in file.hunks]
    places = ChangePositions()
    # Each minion by itself, if there are enough trials to try each hunk on each minion twice: once
    # alone, and once among others.
    is_small = len(affected) <= ALL_BELOW and 2 * len(affected) * len(hunks) <= most
    kinds = find_kinds(sides, affected, diff, places, by_kind=not is_small)
    atoms = {atom.id: atom for atom in diff.atoms}
    trials = HunkTrials(sides, files, kinds.members, places, most)
    by_file: dict[str, list[tuple[int, Hunk]]] = {}
    for number, hunk in enumerate(hunks):
        by_file.setdefault(hunk.shown, []).append((number, hunk))
    follow = {atom.id for atom in diff.atoms if atom.consequence_of is not None}
    finder = CauseFinder(
        trials, hunks, kinds.members, lambda atom: _propose(atoms[atom], by_file), follow
    )
    found = finder.find(atom for atom in atoms if atom not in kinds.alike)
    idle = find_idle(trials, hunks, found)
    found = finder.add_needed(found, {hunk for hunk, _ in idle})
    causes = kinds.spread(
        {atom: _find_parts(finder, atoms[atom], cause) for atom, cause in found.items()}
    )
    told = split_atoms(
        diff,
        _find_reasons(kinds, diff, causes),
        lambda atom, own: _cite(atom, causes[atom.id], own),
    )
    hidden = find_hidden(files, idle, affected)
    idle = [one for one in idle if one[0] not in hidden]
    return replace(
        told,
        idle=tuple(describe_idle(sides, files, idle, affected)),
        may_hide_changes=bool(hidden),
        not_compared=tuple(describe_hidden(hidden)),
        notes=(*told.notes, *(_describe_unproven(told) if trials.are_over else ())),
    )


def _describe_unproven(diff: Diff) -> Iterator[str]:
    """Yield how many causes are not proven after the last trial, if there are any."""
    cited = [atom for atom in diff.shown if atom.because]
    unproven = sum(not atom.proven for atom in cited)
    if unproven:
        told = f"{unproven:,} of {count(len(cited), 'change')} not proven"
        yield f"{told}: to test every line takes too many compiles"


def _find_reasons(
    kinds: Kinds, diff: Diff, causes: Mapping[int, ChangeCause]
) -> dict[str, dict[int, tuple[Hunk, ...]]]:
    """Return the causes of minions' atoms that other minions have because of other hunks."""
    own = {
        atom: {member.key: hunks for member, hunks in cause.own.items()}
        for atom, cause in causes.items()
        if cause.own
    }
    return {
        minion: {
            atom: own[atom][key]
            for atom in diff.minions[minion].atoms
            if atom in own and key in own[atom]
        }
        for minion, key in (kinds.keys.items() if own else ())
    }


def _propose(atom: Atom, by_file: Mapping[str, Sequence[tuple[int, Hunk]]]) -> list[Hunk]:
    """Return the hunks that an atom's origins cite: by line, else by file.

    ``by_file`` has the hunks of each file as it is shown, with their places among all hunks.
    """
    change = atom.change
    origins = (("head", change.after_origin), ("base", change.before_origin))
    files = {origin.file for _, origin in origins if origin is not None}
    near = dict(sorted(one for file in files for one in by_file.get(file, ()))).values()
    exact = [hunk for hunk in near if any(holds(hunk, *one) for one in origins)]
    return exact + [hunk for hunk in near if hunk not in exact]


def _find_parts(finder: CauseFinder, atom: Atom, cause: ChangeCause) -> ChangeCause:
    """Return a cause with the lines of its hunks that are the cause, if no value says which."""
    if not cause.proven:
        return cause
    return finder.add_parts(atom.id, cause, lambda hunk: find_line(hunk, atom.change) is None)


def _cite(atom: Atom, cause: ChangeCause, own: tuple[Hunk, ...] | None) -> Atom:
    told = [(find_line(hunk, atom.change), hunk) for hunk in own or cause.hunks]
    told.sort(key=lambda one: one[0] is None)  # where the value is set comes first
    because = tuple(line or line_of(hunk) for line, hunk in told)
    return replace(atom, because=because, proven=cause.proven, bound=cause.bound)
