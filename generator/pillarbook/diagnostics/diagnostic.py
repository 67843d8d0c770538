"""Diagnostics: faults of the user's tree as data, and the root of the exceptions."""

import enum
from dataclasses import dataclass, field, replace

from pillarbook.model import KeyPath, Position


class PillarbookError(Exception):
    """An error that stops a command; its text is one clear sentence for the user."""

    exit_code = 1
    """The exit code of the command."""


class Severity(enum.IntEnum):
    """Severities; larger is worse."""

    NOTE = 1
    WARNING = 2
    ERROR = 3

    def __str__(self) -> str:
        """Return the name in commands and formats."""
        return self.name.lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One fault; holds keys, names and positions, never a value of the pillar."""

    code: str
    """The rule's short name, lower case with hyphens: ``missing-sls``."""
    severity: Severity
    message: str
    """One sentence."""
    position: Position | None = None
    """The line to look at first."""
    path: KeyPath | None = None
    """The key, if it is about one."""
    minions: tuple[str, ...] = ()
    """The affected minions, in inventory order; empty if it is about the tree itself."""
    help: str | None = None
    """The remedy."""
    related: tuple[Position, ...] = ()
    """Further lines that have to do with it."""


@dataclass
class Collector:
    """Gathers diagnostics; an equal one of many minions becomes one with their names."""

    _found: dict[Diagnostic, dict[str, None]] = field(default_factory=dict)

    def add(self, diagnostic: Diagnostic) -> None:
        """Add one diagnostic; its minions are added to an equal one."""
        minions = self._found.setdefault(replace(diagnostic, minions=()), {})
        minions.update(dict.fromkeys(diagnostic.minions))

    def finish(self) -> tuple[Diagnostic, ...]:
        """Return all of them: worst first, then by file, line, code and message."""
        full = (
            replace(diagnostic, minions=tuple(minions))
            for diagnostic, minions in self._found.items()
        )
        return tuple(sorted(full, key=_sort_key))


def _sort_key(diagnostic: Diagnostic) -> tuple[int, str, int, str, str]:
    at = diagnostic.position
    file, line = (at.file, at.line or 0) if at else ("", 0)
    return (-diagnostic.severity, file, line, diagnostic.code, diagnostic.message)
