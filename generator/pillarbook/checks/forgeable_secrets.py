"""The rule ``forgeable-secret``: secrets of targets that a minion matches by its own grains."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from pillarbook.checks.finding import join_words
from pillarbook.compile.matchers.forging import UNTOLD
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.model import KeyPath, Position, format_path
from pillarbook.redact.shown_access import AccessPath

MAX_NAMED = 3
"""The most key paths that a sentence names; the others are counted."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A target, for all lines of a template that write it."""

    position: Position | None
    match: str
    saltenv: str
    grains: tuple[str, ...]


@dataclass(slots=True, eq=False)
class _Given:
    """The SLS and secrets of a target."""

    target: str
    only: dict[str, None] = field(default_factory=dict)
    keys: dict[KeyPath, None] = field(default_factory=dict)
    minions: list[str] = field(default_factory=list)


ForgeableSecretList: TypeAlias = tuple[tuple[_Line, AccessPath, tuple[KeyPath, ...]], ...]
"""The findings of a minion: targets, and the secrets that they give."""


class ForgeableSecrets:
    """Gathers the secrets that forgeable targets give, minion by minion."""

    def __init__(self) -> None:
        self._of_minion: dict[str, ForgeableSecretList] = {}
        # By content: minions of one role have equal findings, so they share one tuple. There are as
        # many as kinds of minions; kept until the last diagnostic is made.
        self._shared: dict[ForgeableSecretList, ForgeableSecretList] = {}

    def take(self, minion: str, secrets: Iterable[tuple[KeyPath, tuple[AccessPath, ...]]]) -> None:
        """Add a minion's secrets with their access paths."""
        found: dict[_Line, tuple[AccessPath, list[KeyPath]]] = {}
        for path, ways in secrets:
            for way in ways:
                if way.forged is not None:
                    line = _Line(way.position, way.match, way.saltenv, way.forged.grains)
                    found.setdefault(line, (way, []))[1].append(path)
        if not found:
            return
        told = tuple((line, way, tuple(paths)) for line, (way, paths) in found.items())
        self._of_minion[minion] = self._shared.setdefault(told, told)

    def give(self) -> Mapping[str, ForgeableSecretList]:
        """Return what was added, for another process."""
        return self._of_minion

    def merge(self, given: Mapping[str, ForgeableSecretList]) -> None:
        """Add what was added for other minions in another process."""
        self._of_minion.update(given)

    def of(self, minion: str) -> Iterator[Diagnostic]:
        """Yield the diagnostics of one minion."""
        for line, way, paths in self._of_minion.get(minion, ()):
            yield _word(line, way.name, _only(way), paths, (minion,))

    def of_minions(self, places: Mapping[str, int]) -> Iterator[Diagnostic]:
        """Yield a diagnostic for each target."""
        found: dict[_Line, _Given] = {}
        for minion in sorted(self._of_minion, key=places.__getitem__):
            for line, way, paths in self._of_minion[minion]:
                given = found.setdefault(line, _Given(way.name))
                given.only[_only(way)] = None
                given.keys.update(dict.fromkeys(paths))
                given.minions.append(minion)
        for line, given in found.items():
            # A template may write another condition for each minion.
            only = next(iter(given.only)) if len(given.only) == 1 else UNTOLD
            yield _word(line, given.target, only, tuple(given.keys), tuple(given.minions))


def _only(way: AccessPath) -> str:
    return "" if way.forged is None else way.forged.only


def _word(
    line: _Line, target: str, only: str, paths: tuple[KeyPath, ...], minions: tuple[str, ...]
) -> Diagnostic:
    grains = [f"`{name}`" for name in line.grains]
    said = f"grain {grains[0]}" if len(grains) == 1 else f"grains {join_words(grains)}"
    who = f"a minion that matches {only} and" if only else "any minion that"
    diagnostic = new_diagnostic(
        "forgeable-secret",
        f"the target '{target}' ({line.match}) gives {_name(paths)} to {who} sets its {said}",
        line.position,
        path=paths[0] if len(paths) == 1 else None,
        remedy="give secrets by minion id: in the target, or in a nodegroup of ids",
    )
    return replace(diagnostic, minions=minions)


def _name(paths: tuple[KeyPath, ...]) -> str:
    named = [f"'{format_path(path)}'" for path in paths[:MAX_NAMED]]
    left = len(paths) - len(named)
    if left:
        named.append(f"{left:,} more {'secret' if left == 1 else 'secrets'}")
    return join_words(named)
