"""How values come to minions, as far as others may see it."""

from dataclasses import dataclass
from typing import Literal

from pillarbook.model import Position

WayKind = Literal["target", "external pillar", "inventory", "master options", "template"]
ALL_GRAINS = "*"
"""Stands for all grains, where a file reads them as a whole."""


@dataclass(frozen=True, slots=True)
class Forged:
    """That minions could make a target match by setting their grains."""

    grains: tuple[str, ...]
    """The grains that they would have to set."""
    only: str
    """Which minions could, in words of the target with backticks; empty where any could."""


@dataclass(frozen=True, slots=True)
class GrainReads:
    """The grains other than ``id`` that a file read while it rendered."""

    file: str
    """The file."""
    grains: tuple[str, ...]
    """Their names, sorted; ``*`` for all of them, none if its reads were not recorded."""


@dataclass(frozen=True, slots=True)
class AccessPath:
    """One way in which a value comes to minions."""

    kind: WayKind
    """``target``: a target of a top file gives the SLS, or one that includes it; ``inventory``: the
    pillar that is declared there; ``template``: a template put it into ``pillar`` itself."""
    name: str
    """The target as the top file has it, or the external pillar's name; empty for others."""
    match: str = ""
    """The target's matcher."""
    saltenv: str = ""
    """The environment that the target stands in."""
    position: Position | None = None
    """Where the target stands."""
    sls: tuple[str, ...] = ()
    """The SLS that the target gives, and from there, include by include, the one with the value."""
    forged: Forged | None = None
    """How minions could have the target match; None where they could not."""
    reads: tuple[GrainReads, ...] = ()
    """What the top file and these SLS files ask of grains on the way."""
