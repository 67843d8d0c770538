"""How minions get a value, without secrets."""

from dataclasses import dataclass
from typing import Literal

from pillarbook.model import Position

WayKind = Literal["target", "external pillar", "inventory", "master options", "template"]
ALL_GRAINS = "*"
"""Replaces the names of grains if a file reads all of them."""


@dataclass(frozen=True, slots=True)
class Forged:
    """Minions could make a target match if they set their grains."""

    grains: tuple[str, ...]
    """The grains that they would have to set."""
    only: str
    """The minions that could, as words of the target with backticks; empty for all minions."""


@dataclass(frozen=True, slots=True)
class GrainReads:
    """The grains other than ``id`` that a file read while it rendered."""

    file: str
    """The file."""
    grains: tuple[str, ...]
    """Their names, sorted; ``*`` for all grains, empty if reads were not recorded."""


@dataclass(frozen=True, slots=True)
class AccessPath:
    """One way by which minions get a value."""

    kind: WayKind
    """``target``: a target of a top file gives the SLS, or one that includes it; ``inventory``: the
    pillar that is declared there; ``template``: a template put it into ``pillar`` itself."""
    name: str
    """The target as the top file has it, or the external pillar's name; empty for others."""
    match: str = ""
    """The target's matcher."""
    saltenv: str = ""
    """The environment of the target."""
    position: Position | None = None
    """The position of the target."""
    sls: tuple[str, ...] = ()
    """The SLS of the target, then each included SLS, up to the one with the value."""
    forged: Forged | None = None
    """How minions could make the target match; None if they could not."""
    reads: tuple[GrainReads, ...] = ()
    """The grains that the top file and these SLS files read."""
