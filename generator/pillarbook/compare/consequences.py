"""Separates changes that only follow from a new failure from other changes.

If an SLS newly fails, its values are missing. They count as a part of the failure, and not as
changes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from pillarbook.compare.atoms import Atom
from pillarbook.compare.diff import Diff

Follows: TypeAlias = Mapping[str, Mapping[int, int]]
"""By minion: the ids of its atoms that follow from a failure, each with the failure's index."""


def mark_consequences(diff: Diff, follows: Follows) -> Diff:
    """Return a comparison whose atoms name the failure that they follow from.

    An atom that follows from a failure on only some of its minions is split, because all minions of
    an atom have it for the same reason. Atoms get new ids.

    Args:
        diff: The comparison.
        follows: The atoms that follow from failures; a failure's number is its index in
            ``diff.diagnostics``.
    """
    if not any(follows.values()):
        return diff
    parts = [part for atom in diff.atoms for part in _split(atom, follows)]
    parts.sort(key=lambda part: -len(part.minions))  # those with most minions first, as before
    ids: dict[tuple[int, int | None], int] = {}
    atoms = []
    for number, part in enumerate(parts, 1):
        ids[part.id, part.consequence_of] = number
        atoms.append(replace(part, id=number))
    minions = {
        name: replace(
            result,
            atoms=tuple(ids[atom, follows.get(name, {}).get(atom)] for atom in result.atoms),
        )
        for name, result in diff.minions.items()
    }
    return replace(diff, minions=minions, atoms=tuple(atoms))


def _split(atom: Atom, follows: Follows) -> Iterator[Atom]:
    """Yield the parts of an atom: its minions, grouped by failure."""
    by_failure: dict[int | None, list[str]] = {}
    for minion in atom.minions:
        by_failure.setdefault(follows.get(minion, {}).get(atom.id), []).append(minion)
    for failure, minions in by_failure.items():
        yield replace(atom, minions=tuple(minions), consequence_of=failure)
