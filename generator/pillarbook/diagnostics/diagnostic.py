"""A diagnostic: one fault of the user's tree, at one place, for the minions it concerns."""

import enum
from dataclasses import dataclass

from pillarbook.model import KeyPath, Position


class Severity(enum.IntEnum):
    """How bad it is; larger is worse."""

    NOTE = 1
    WARNING = 2
    ERROR = 3

    def __str__(self) -> str:
        """Return the word that commands and formats use."""
        return self.name.lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One fault; holds keys, names and positions, never a value of the pillar."""

    code: str
    """The rule's short name, lower case with hyphens: ``missing-sls``."""
    severity: Severity
    """How bad it is."""
    message: str
    """One sentence that says what is wrong."""
    position: Position | None = None
    """Where to look first."""
    path: KeyPath | None = None
    """The key it is about, where it is about one."""
    minions: tuple[str, ...] = ()
    """The minions it concerns, in inventory order; empty where it concerns the tree itself."""
    help: str | None = None
    """What to do about it."""
    related: tuple[Position, ...] = ()
    """Other places that have to do with it."""
