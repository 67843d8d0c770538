"""Which affected minions are alike, so that one of them is examined for all.

They are if the same places change, and if the renders that differ between their two sides are the
same but for what the files print of each minion. Then the same lines decided about them.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pillarbook.changes.attribution.find_causes import ChangeCause
from pillarbook.changes.attribution.hunk_trials import AffectedMinion, Representative
from pillarbook.changes.comparison import Sides
from pillarbook.changes.comparison.alike import are_declared_alike, is_same_data
from pillarbook.compare.change_positions import ChangePositions, Placed
from pillarbook.compare.diff import Diff
from pillarbook.compile.render_result import RenderResult

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
