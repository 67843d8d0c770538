"""Lists of which no member stays, as one change of the key.

The atoms of such a list are a removed member each and an added member each; beside each other, they
would say no more than the two lists.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pillarbook.compare.atoms import Atom
from pillarbook.compare.strict import canonical
from pillarbook.redact import Redacted
from pillarbook.report.folded_atoms import unite_causes
from pillarbook.report.pair_members import pair_members


def join_replaced(atoms: Iterable[Atom]) -> tuple[list[Atom], dict[int, tuple[Atom, ...]]]:
    """Return atoms with those of a replaced list as one, and its atoms by the id of that one.

    Scalars that replace one another are left: which one replaces which says more.
    """
    told = list(atoms)
    lists: dict[Hashable, list[Atom]] = defaultdict(list)
    for atom in told:
        if atom.change.replaced is not None:
            lists[tuple(map(canonical, atom.change.path[:-1])), atom.minions].append(atom)
    joined: dict[int, tuple[Atom, ...]] = {}
    taken: set[int] = set()
    for some in lists.values():
        removed = [atom for atom in some if atom.change.kind == "removed"]
        added = [atom for atom in some if atom.change.kind == "added"]
        sizes = (len(removed), len(added))
        if sizes == tuple(map(len, some[0].change.replaced or ())) and not _have_pairs(
            removed, added
        ):
            joined[some[0].id] = (*removed, *added)
            taken.update(atom.id for atom in some)
    return [
        _join(joined[atom.id]) if atom.id in joined else atom
        for atom in told
        if atom.id in joined or atom.id not in taken
    ], joined


def _have_pairs(removed: Sequence[Atom], added: Sequence[Atom]) -> bool:
    """Say whether scalars among the members are told as one changed value each."""
    scalars = [[atom for atom in some if _is_scalar(_value_of(atom))] for some in (removed, added)]
    return bool(pair_members(scalars[0], scalars[1], _value_of)[0])


def _is_scalar(value: Any) -> bool:
    return not isinstance(value, Redacted | Mapping | list | tuple)


def _value_of(atom: Atom) -> Any:
    return atom.change.after if atom.change.kind == "added" else atom.change.before


def _join(atoms: Sequence[Atom]) -> Atom:
    first = atoms[0].change
    before, after = first.replaced or ((), ())
    at = len(first.path) - 1
    origins = [one.change.after_origin for one in atoms if one.change.kind == "added"]
    change = replace(
        first,
        path=first.path[:at],
        kind="changed",
        before=before,
        after=after,
        after_origin=origins[0],
        positions=first.positions - {at},
        replaced=None,
    )
    return replace(
        atoms[0],
        change=change,
        because=unite_causes(atoms),
        proven=all(atom.proven for atom in atoms),
    )
