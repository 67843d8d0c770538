"""Diagnostics: faults of the user's tree as data, and the root of the exceptions."""

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pillarbook.model import KeyPath, Position


class PillarbookError(Exception):
    """An error that stops a command; its text is one clear sentence for the user."""

    exit_code = 1


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
    missing: tuple[str, str] | None = None
    """What it looks for in vain: ``key`` (of the pillar), ``file``, ``sls`` or ``id`` (of a state),
    and its name."""
    of_states: bool = False
    """Whether it is about states and not about the pillar."""
    caused_by: "Diagnostic | None" = None
    """The error that it only follows from, which has no such cause itself."""


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


def fold_follow_on(
    diagnostics: Iterable[Diagnostic],
) -> Mapping[Diagnostic, Sequence[Diagnostic]]:
    """Return the diagnostics that follow from no other one of them, each with those that do."""
    found: dict[Diagnostic, list[Diagnostic]] = {one: [] for one in diagnostics}
    for one in list(found):
        if one.caused_by in found:
            found[one.caused_by] += [one]
    return {one: follow for one, follow in found.items() if one.caused_by not in found}


def index_causes(diagnostics: Sequence[Diagnostic]) -> Iterator[int | None]:
    """Yield for each diagnostic the index of its cause; None if it has none in the list."""
    places = {one: at for at, one in enumerate(diagnostics)}
    for one in diagnostics:
        yield None if one.caused_by is None else places.get(one.caused_by)


def _sort_key(diagnostic: Diagnostic) -> tuple[int, str, int, str, str, str]:
    at = diagnostic.position
    file, line = (at.file, at.line or 0) if at else ("", 0)
    what = (diagnostic.path, diagnostic.help, diagnostic.related, diagnostic.missing)
    return (-diagnostic.severity, file, line, diagnostic.code, diagnostic.message, repr(what))
