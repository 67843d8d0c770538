"""The changes of a comparison as a reader counts them: what is alike is told once."""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pillarbook.compare.atoms import Atom
from pillarbook.compare.diff import Diff
from pillarbook.compare.fold import ANY_POSITION, find_place, fold_path
from pillarbook.compare.strict import Fingerprints, canonical
from pillarbook.model import KeyPath
from pillarbook.report.folded_atoms import FoldedAtoms, unite_causes
from pillarbook.report.own_keys import ByValues, Place, find_pattern, join_own_keys, join_own_lines
from pillarbook.report.replaced_lists import join_replaced
from pillarbook.report.similar_changes import count_orders, fold_similar
from pillarbook.report.usual_values import Look, find_shape, names_of, split_by_look

MAX_VARIANTS = 3
"""Pairs of values of one place that are listed one by one."""


@dataclass(frozen=True, slots=True)
class ToldGroup:
    """Changes that affect the same minions."""

    minions: tuple[str, ...]
    told: tuple[FoldedAtoms, ...]


def describe_changes(diff: Diff, atoms: Sequence[Atom] | None = None) -> tuple[ToldGroup, ...]:
    """Return the changes of a comparison for readers; those of most minions come first.

    Atoms are folded into one change if they differ only in list positions, in the environment that
    gave the value or in the line of the base, and also if they have one place and one cause but
    many values, if each minion has them under a key or by a line of its own, or if a key with
    several values is removed for one cause. Of many values, those that differ from what most
    minions get are apart.

    Without ``atoms`` these are all that no rule ignores.
    """
    if diff.bare:
        return ()
    prints = Fingerprints()
    told_atoms, lists = join_replaced(diff.shown if atoms is None else atoms)
    places: dict[Place, ByValues] = {}
    for atom in told_atoms:
        change = atom.change
        place = (
            change.kind,
            tuple(map(canonical, fold_path(change))),
            None if atom.because else find_place(change.before_origin),
            find_place(change.after_origin),
            atom.because,
        )
        values = prints.of(change.before), prints.of(change.after)
        places.setdefault(place, {}).setdefault(values, []).append(atom)
    order = {minion: number for number, minion in enumerate(diff.minions)}
    told: list[FoldedAtoms] = []
    for by_values in join_own_lines(join_own_keys(places), prints):
        usual, others, is_similar = _split_usual(by_values, prints)
        if _is_one_loss(by_values):
            one = _describe_variants(by_values, order)
            told.append(replace(one, similar=is_similar and not others))
            continue
        if usual:
            told.append(
                replace(_describe_variants(usual, order), similar=is_similar and len(usual) > 1)
            )
        if len(others) > MAX_VARIANTS:
            told.append(_describe_variants(others, order))
        else:
            told += (_describe(found, 1, order) for found in others.values())
    told = [_with_members(one, lists) for one in told]
    by_minions: dict[tuple[str, ...], list[FoldedAtoms]] = {}
    for one in sorted(told, key=lambda one: -len(one.minions)):
        by_minions.setdefault(one.minions, []).append(one)
    groups = {minions: fold_similar(some) for minions, some in by_minions.items()}
    taken = {path for some in groups.values() for one in some for path in _members_in_head(one)}
    return tuple(
        ToldGroup(minions, tuple(_mark_side(one, taken, diff.environment) for one in some))
        for minions, some in groups.items()
    )


def _with_members(told: FoldedAtoms, lists: Mapping[int, tuple[Atom, ...]]) -> FoldedAtoms:
    """Return a change with the atoms of its members, if it is the change of whole lists."""
    if told.change.kind != "changed" or not any(atom.id in lists for atom in told.atoms):
        return told
    members = (one for atom in told.atoms for one in lists.get(atom.id, (atom,)))
    return replace(told, atoms=tuple(members))


def _is_one_loss(by_values: Mapping[Hashable, Sequence[Atom]]) -> bool:
    """Say whether one cause removes a key: it is one loss, whatever the key had on each minion."""
    first = next(iter(by_values.values()))[0]
    is_key = len(first.change.path) - 1 not in first.change.positions
    return first.change.kind == "removed" and is_key and bool(first.because)


def _split_usual(by_values: ByValues, prints: Fingerprints) -> tuple[ByValues, ByValues, bool]:
    """Return the values that do the same to most minions if there are many values, and others.

    Also whether the former are alike for a reader.
    """
    atoms = [some[0] for some in by_values.values()]
    if len(atoms) <= MAX_VARIANTS or atoms[0].change.kind in ("moved", "reordered"):
        return {}, by_values, False
    paths = [atom.change.path for atom in atoms]
    columns = zip(*paths, strict=True)
    own = [at for at, keys in enumerate(columns) if len(set(map(canonical, keys))) > 1]

    def shape_of(item: tuple[Hashable, Sequence[Atom]], look: Look) -> Hashable:
        atom = item[1][0]
        names = [*names_of(atom.minions), *(atom.change.path[at] for at in own)]
        return find_shape(atom.change, names, prints, look)

    sizes = [sum(len(atom.minions) for atom in some) for some in by_values.values()]
    usual, others, is_similar = split_by_look([*by_values.items()], shape_of, sizes)
    return dict(usual), dict(others), is_similar


def _members_in_head(told: FoldedAtoms) -> Iterator[Hashable]:
    """Yield the paths of members of lists, as the head counts them, in which a change is.

    An added member is none of them: at the position of a removed one, it replaces it.
    """
    change = told.change
    path = tuple(map(canonical, told_path(told)))
    for at in change.positions:
        if at + 1 < len(path) or change.kind == "changed":
            yield path[: at + 1]


def _mark_side(told: FoldedAtoms, taken: Collection[Hashable], environment: str) -> FoldedAtoms:
    """Return a change; of a removed member of a list with the mark that its position is taken."""
    told = replace(told, environment=environment) if environment else told
    change = told.change
    is_member = change.kind == "removed" and len(change.path) - 1 in change.positions
    if is_member and tuple(map(canonical, told_path(told))) in taken:
        return replace(told, in_base=True)
    return told


def _describe_variants(by_values: ByValues, order: Mapping[str, int]) -> FoldedAtoms:
    found = [atom for some in by_values.values() for atom in some]
    return _describe(found, len(by_values), order)


def _describe(atoms: Sequence[Atom], variants: int, order: Mapping[str, int]) -> FoldedAtoms:
    if len(atoms) == 1:
        minions = atoms[0].minions
    else:
        if atoms[0].change.kind == "moved":
            variants = count_orders(atoms)  # the members of one list are no variants of one another
        members = {minion for atom in atoms for minion in atom.minions}
        minions = tuple(sorted(members, key=order.__getitem__))
    change = replace(atoms[0].change, path=_join_paths(atoms))
    if len({find_place(atom.change.before_origin) for atom in atoms}) > 1:
        change = replace(change, before_origin=None)
    if len({find_place(atom.change.after_origin) for atom in atoms}) > 1:
        change = replace(change, after_origin=None)
    return FoldedAtoms(
        change=change,
        minions=minions,
        times=max(1, sum(len(atom.minions) for atom in atoms) // len(minions)),
        variants=variants,
        because=unite_causes(atoms),
        proven=all(atom.proven for atom in atoms),
        atoms=tuple(atoms),
    )


def _join_paths(atoms: Sequence[Atom]) -> KeyPath:
    """Return the path of the first atom, with a pattern instead of a key in which others differ."""
    change = atoms[0].change
    columns = zip(*(atom.change.path for atom in atoms), strict=True)
    return tuple(
        keys[0]
        if at in change.positions or len(set(map(canonical, keys))) == 1
        else find_pattern(keys, atoms)
        for at, keys in enumerate(columns)
    )


def told_path(told: FoldedAtoms) -> KeyPath:
    """Return the path of a change; a position that differs between its atoms is any position."""
    change = told.change
    if not change.positions:
        return change.path
    # Only the paths of members of a replaced list are longer than that of the change.
    found_at = zip(*(atom.change.path for atom in told.atoms), strict=False)
    return tuple(
        key if place not in change.positions or len(set(found)) == 1 else ANY_POSITION
        for place, (key, found) in enumerate(zip(change.path, found_at, strict=False))
    )
