"""Separates changes that only follow from a new failure from other changes.

If an SLS newly fails, its values are missing. They count as a part of the failure, and not as
changes.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from pillarbook.compare.atoms import Atom
from pillarbook.compare.diff import Diff
from pillarbook.compare.split_atoms import split_atoms

Follows: TypeAlias = Mapping[str, Mapping[int, int]]
"""By minion: the ids of its atoms that follow from a failure, each with the failure's index."""


def mark_consequences(diff: Diff, follows: Follows) -> Diff:
    """Return a comparison whose atoms name the failure that they follow from.

    An atom that follows from a failure on only some of its minions is split, because all minions of
    an atom have it for the same reason. Atoms get new ids. ``follows`` has the atoms that follow
    from failures; a failure's number is its index in ``diff.diagnostics``.
    """

    def mark(atom: Atom, failure: int | None) -> Atom:
        return replace(atom, consequence_of=failure)

    return split_atoms(diff, follows, mark)
