"""Splits atoms whose minions have the same change for different reasons."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from pillarbook.compare.atoms import Atom
from pillarbook.compare.diff import Diff

Reason = TypeVar("Reason", bound=Hashable)


def split_atoms(
    diff: Diff,
    reasons: Mapping[str, Mapping[int, Reason]],
    mark: Callable[[Atom, Reason | None], Atom],
) -> Diff:
    """Return a comparison in which all minions of an atom have it for the same reason.

    Atoms get new ids if one is split.

    ``reasons`` has the reasons of each minion's atoms by their ids, None without one; ``mark``
    returns an atom, or a part of one, with its reason.
    """
    if not any(reasons.values()):
        return replace(diff, atoms=tuple(mark(atom, None) for atom in diff.atoms))
    parts = [part for atom in diff.atoms for part in _split(atom, reasons)]
    parts.sort(key=lambda part: -len(part[0].minions))  # those with most minions first, as before
    ids = {(atom.id, reason): number for number, (atom, reason) in enumerate(parts, 1)}
    minions = {
        name: replace(
            result,
            atoms=tuple(ids[atom, reasons.get(name, {}).get(atom)] for atom in result.atoms),
        )
        for name, result in diff.minions.items()
    }
    parts_of: dict[int, list[int]] = {}
    for (old, _), new in ids.items():
        parts_of.setdefault(old, []).append(new)
    atoms = []
    for number, (atom, reason) in enumerate(parts, 1):
        part = mark(atom, reason)
        bound = tuple(sorted(new for old in part.bound for new in parts_of[old]))
        atoms.append(replace(part, id=number, bound=bound))
    return replace(diff, minions=minions, atoms=tuple(atoms))


def _split(
    atom: Atom, reasons: Mapping[str, Mapping[int, Reason]]
) -> Iterator[tuple[Atom, Reason | None]]:
    """Yield the parts of an atom: its minions, grouped by reason."""
    by_reason: dict[Reason | None, list[str]] = {}
    for minion in atom.minions:
        by_reason.setdefault(reasons.get(minion, {}).get(atom.id), []).append(minion)
    for reason, minions in by_reason.items():
        yield replace(atom, minions=tuple(minions)), reason
