"""Find the changed lines that are the cause of each atom of a comparison."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pillarbook.changes.attribution.changed_files import find_changed
from pillarbook.changes.attribution.find_causes import CauseFinder, ChangeCause
from pillarbook.changes.attribution.hunk_trials import (
    MAX_COMPILES,
    AffectedMinion,
    HunkTrials,
    Representative,
)
from pillarbook.changes.attribution.hunks import Hunk, find_line, holds, line_of
from pillarbook.changes.attribution.idle_lines import (
    describe_hidden,
    describe_idle,
    find_hidden,
    find_idle,
)
from pillarbook.changes.attribution.new_failures import mark_failures
from pillarbook.changes.comparison import Sides
from pillarbook.changes.comparison.alike import are_declared_alike, is_same_data
from pillarbook.compare.atoms import Atom
from pillarbook.compare.change_positions import ChangePositions, Placed
from pillarbook.compare.diff import Diff
from pillarbook.compare.split_atoms import split_atoms
from pillarbook.compile.render_result import RenderResult
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
    # Each minion by itself, if there are enough trials to try each hunk on each minion once.
    is_small = len(affected) <= ALL_BELOW and len(affected) * len(hunks) <= most
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
    kinds: "Kinds", diff: Diff, causes: Mapping[int, ChangeCause]
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


# Similar minions have the same cause; 10,000 minions would take as many compiles for each hunk.
MAX_MEMBERS = 200
"""The most minions that are examined if there are more: one of each kind."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """The minions that are examined, and what they stand for."""

    members: Sequence[Representative]
    """One minion of each kind, or each minion."""
    keys: Mapping[str, Hashable]
    """The kind of each affected minion, by its shown id."""
    alike: Mapping[int, tuple[int, Mapping[int, int]]]
    """Atoms that no member has: that of a member at the same place, and the atoms that replace
    those of the member."""

    def spread(self, causes: Mapping[int, ChangeCause]) -> dict[int, ChangeCause]:
        """Return causes, also of the atoms that no member has."""
        spread = dict(causes)
        for atom, (other, instead) in self.alike.items():
            bound = tuple(sorted(instead.get(one, one) for one in causes[other].bound))
            spread[atom] = replace(causes[other], bound=bound)
        return spread


def find_kinds(
    sides: Sides,
    affected: Sequence[AffectedMinion],
    diff: Diff,
    places: ChangePositions,
    *,
    by_kind: bool,
) -> Kinds:
    """Return the minions to examine: all of them, or one of each kind.

    Minions are alike if the same places change, and if the renders that differ between their two
    sides are the same but for what the files print of each. Then the same lines decided about them.
    """
    chosen: dict[Hashable, Representative] = {}
    keys: dict[str, Hashable] = {}
    for number, one in enumerate(affected):
        atoms, changes = diff.minions[one.after.minion].atoms, places.all_of(one.changes)
        key = _kind_of(sides, one, atoms, changes) if by_kind else number
        keys[one.after.minion] = key
        if key not in chosen and len(chosen) < MAX_MEMBERS:
            chosen[key] = Representative(
                key, one.head, one.base, one.before, one.after, atoms, changes
            )
    members = list(chosen.values())
    known = {atom for member in members for atom in member.atoms}
    alike: dict[int, tuple[int, Mapping[int, int]]] = {}
    for minion, key in keys.items():
        own = diff.minions[minion].atoms
        if key in chosen and not known.issuperset(own):
            instead = dict(zip(chosen[key].atoms, own, strict=True))
            alike |= {
                atom: (other, instead) for other, atom in instead.items() if atom not in known
            }
    return Kinds(members, keys, alike)


def _kind_of(
    sides: Sides, one: AffectedMinion, atoms: tuple[int, ...], changes: Sequence[Placed]
) -> Hashable:
    base = () if one.base is None else one.base.renders
    renders = frozenset(_name_differing(base, one.head.renders))
    outcomes = one.before and one.before.outcome, one.after.outcome
    if _is_declared_anew(sides, one):
        return one.after.minion, atoms  # by lines of its own, which no render shows
    if one.head.beside or (one.base is not None and one.base.beside):
        return atoms, renders, outcomes  # files of external pillars may be those of one minion
    kinds = tuple(change.kind for change in one.changes)
    shape = tuple((placed.path, placed.is_order) for placed in changes)
    return shape, kinds, renders, outcomes


def _is_declared_anew(sides: Sides, one: AffectedMinion) -> bool:
    """Say whether both sides declare a minion in different ways."""
    if one.base is None:
        return False
    base = sides.base.fleet.declared_by_id(one.base.minion)
    return not are_declared_alike(sides.head.fleet.declared_by_id(one.head.minion), base)


def _name_differing(
    base: Sequence[RenderResult], head: Sequence[RenderResult]
) -> Iterator[Hashable]:
    """Yield the kinds of renders that only one side of a minion has.

    A file with the same data on both sides counts by its name alone: no atom comes from it, and
    what it prints of a minion would make each minion a kind of its own.
    """
    before, after = set(base), set(head)
    at_places = {_place_of(render): render for render in before - after}
    same: set[RenderResult] = set()
    for render in after - before:
        other = at_places.get(_place_of(render))
        if other is not None and _has_same_data(other, render):
            same.add(other)
            yield _place_of(render)
        else:
            yield render.kind
    yield from (render.kind for render in before - after - same)


def _place_of(render: RenderResult) -> Hashable:
    return render.sls, render.files[0].saltenv


def _has_same_data(one: RenderResult, other: RenderResult) -> bool:
    return one.tree is not None and other.tree is not None and is_same_data(one.tree, other.tree)
