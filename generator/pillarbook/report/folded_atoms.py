"""Atoms that are one change for a reader."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pillarbook.compare.atoms import AckSource, Atom, Cited
from pillarbook.compare.change import Change
from pillarbook.model import KeyPath


@dataclass(frozen=True, slots=True)
class FoldedAtoms:
    """Atoms that are one change for a reader."""

    change: Change
    """One of their changes."""
    minions: tuple[str, ...]
    """Whom they affect, in the order of the fleet."""
    times: int
    """At how many places of a list each of them has it."""
    variants: int
    """In how many pairs of values it comes."""
    because: tuple[Cited, ...]
    """Lines that are the cause of any of them."""
    proven: bool
    """Whether compiles show that of each."""
    atoms: tuple[Atom, ...]
    """The atoms, exactly."""
    was: KeyPath | None = None
    """The path that the value had before, if its key was renamed."""
    in_base: bool = False
    """Whether it is a removed member of a list at whose position another change of the list is."""
    similar: bool = False
    """Whether its pairs of values differ by the same words, or only in the names of the minions."""
    environment: str = ""
    """The base if it is an environment; empty if it is what was before."""

    @property
    def change_id(self) -> str | None:
        """Its stable id; None if it has none."""
        return self.atoms[0].change_id

    @property
    def acknowledged(self) -> AckSource | None:
        """Where it is acknowledged; None if it is not."""
        return self.atoms[0].acknowledged


def unite_causes(atoms: Iterable[Atom | FoldedAtoms]) -> tuple[Cited, ...]:
    """Return the lines that are the cause of any of some changes.

    A line that was edited is named once: as the head has it, if it has the same number there.
    """
    lines = dict.fromkeys(line for one in atoms for line in one.because)
    return tuple(
        line for line in lines if line.side != "base" or replace(line, side="head") not in lines
    )
