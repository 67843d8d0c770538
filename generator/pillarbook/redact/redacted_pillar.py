"""Redacted pillar: the result of the redactor, without secrets.

Comparison, pages, JSON and logs use these types only. A ``Redacted`` replaces each secret; it has a
reason and a secret id, from which writers get the token.
"""

from dataclasses import dataclass, field
from typing import Any

from pillarbook.compile.broken import is_missing_sls
from pillarbook.diagnostics import PillarbookError
from pillarbook.model import KeyPath, ListIndex, Position, format_path, parse_path
from pillarbook.model.unknown import Unknown


@dataclass(frozen=True, slots=True)
class Redacted:
    """Replaces a secret."""

    reason: str
    """Why it is secret, in a few words: ``gpg renderer``, ``key names a password``."""
    secret_id: int
    """The number of the secret in this run; ``SecretStore.token`` returns its token."""
    here: int | None = field(default=None, compare=False)  # depends on the secret id alone
    """A number for file, key path and value of a decrypted secret: two revisions compare these
    secrets by value at the same place, and nowhere else. None for other secrets."""


def secret_of(value: Any) -> Redacted | None:
    """Return what says of a redacted value that it is secret; None if it is not.

    A secret that is not known is an ``Unknown``, because nobody can compare it.
    """
    if isinstance(value, Redacted):
        return value
    secret = value.secret if value.__class__ is Unknown else None
    return secret if isinstance(secret, Redacted) else None


@dataclass(slots=True, unsafe_hash=True)
class RedactedOrigin:
    """A place that set a value, which may be overridden.

    Never changed. Not declared frozen, because a fleet makes millions of them and that is slow.
    """

    file: str
    """The file, relative to the repository, without one to the master file's folder."""
    line: int | None
    """The line, counted from 1; None if it is unknown."""
    sls: str | None
    """The SLS that set the value; for an external pillar, ``ext_pillar:stack``."""
    saltenv: str | None
    """The environment of that SLS."""
    value: Any
    """The value that it set: a scalar, an empty mapping or list, or ``Redacted``."""
    below: KeyPath = ()
    """The keys of the value in a container that was overridden as a whole; empty for all others,
    and if one of the keys is a secret."""

    @property
    def place(self) -> str:
        """The file, with the line if it is known."""
        return str(Position(self.file, self.line))

    @property
    def text_below(self) -> str:
        """Those keys as text: ``z:deep``, or ``[2]`` for a position in a list."""
        keys = (f"[{key}]" if isinstance(key, ListIndex) else str(key) for key in self.below)
        return ":".join(keys)


@dataclass(slots=True, unsafe_hash=True)
class RedactedLeaf:
    """A scalar, an empty mapping or an empty list of a minion's pillar; never changed."""

    path: KeyPath
    """The keys that lead to it."""
    value: Any
    """The value, or ``Redacted``."""
    origins: tuple[RedactedOrigin, ...]
    """Oldest first; the last one set the value."""


@dataclass(frozen=True, slots=True)
class VerdictPart:
    """A word of a compound target or of a nodegroup, and whether it matches the minion."""

    text: str
    """The word as it is written: ``G@os:Debian``."""
    matched: bool
    """Whether it matches."""
    parts: tuple["VerdictPart", ...] = ()
    """The words of a nodegroup."""
    operators: str = ""
    """The text between the word before and this one: ``and not (``."""


@dataclass(frozen=True, slots=True)
class RedactedTarget:
    """A target of a top file, and whether it matches this minion."""

    target: str
    """The target as the top file has it."""
    match: str
    """The matcher: ``glob``, ``grain``, ``compound``."""
    saltenv: str
    """The environment of the target."""
    file: str
    """The top file."""
    line: int | None
    """The target's line in it."""
    matched: bool
    """Whether it matches the minion."""
    sls: tuple[str, ...]
    """The SLS names that matching minions get."""
    parts: tuple[VerdictPart, ...] = ()
    """The words of a compound target or a nodegroup; empty unless they were asked for."""

    @property
    def place(self) -> str:
        """The top file, with the target's line if it is known."""
        return str(Position(self.file, self.line))


@dataclass(frozen=True, slots=True)
class RedactedPillar:
    """The redacted pillar of one minion."""

    minion: str
    """The minion's id."""
    outcome: str
    """``ok``, ``partial``, ``failed`` or ``empty``."""
    leaves: tuple[RedactedLeaf, ...]
    """The values in Salt's order; minions that get the same value may share the object."""
    data: Any
    """The values as plain dicts and lists, with ``Redacted`` for the secrets."""
    errors: tuple[str, ...]
    """The texts that Salt would put into ``_errors``."""
    raises: str | None
    """Why Salt would stop with an exception; None if it would not."""
    targets: tuple[RedactedTarget, ...]
    """Every target of the top files, in their order."""
    pillarenv: str | None
    """The minion's pillarenv as declared; None if all environments merge."""
    saltenv: str | None
    """The minion's saltenv as declared."""
    revealed: bool
    """Whether nothing was redacted (``--reveal``); such a pillar is never published."""
    faults: tuple[str, ...] = ()
    """The errors with file and line, in more detail than Salt's."""

    @property
    def has_data(self) -> bool:
        """Whether there are values to look up or compare; a failed compile has none."""
        return self.raises is None and self.outcome != "failed"

    @property
    def unknown(self) -> int:
        """How many values cannot be known without a live Salt."""
        return sum(leaf.value.__class__ is Unknown for leaf in self.leaves)

    @property
    def absent(self) -> int:
        """How many SLS files do not exist."""
        return sum(map(is_missing_sls, self.errors))

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of a key path such as ``nginx:workers``.

        The value is shared with other minions, so never change it. Keys have a colon between them;
        a number is a position in a list.

        Raises:
            FailedPillarError: There is no such key, but the compile had errors, so it may be
                missing because of them.
        """
        leaves = self.leaves_below(key)
        if not leaves and (self.errors or not self.has_data):
            raise FailedPillarError(self)
        if not leaves:
            return default
        path, value = leaves[0].path, self.data
        end = next(end for end in range(len(path) + 1) if format_path(path[:end]) == key)
        for part in path[:end]:
            value = value[part]
        return value

    def leaves_below(self, key: str = "") -> tuple[RedactedLeaf, ...]:
        """Return the values at and below a key path, each with its origins; all if it is empty.

        A colon separates keys. If this finds nothing, keys that contain a colon are tried.
        """
        if not key:
            return self.leaves
        wanted = parse_path(key)
        found = tuple(leaf for leaf in self.leaves if _is_below(leaf.path, wanted))
        if found or ":" not in key:
            return found
        return tuple(leaf for leaf in self.leaves if _reads_as(leaf.path, key))


class FailedPillarError(PillarbookError):
    """A minion lacks a requested value, and its pillar has errors."""

    def __init__(self, pillar: RedactedPillar) -> None:
        why = pillar.faults or (*pillar.errors, *((pillar.raises,) if pillar.raises else ()))
        super().__init__(f"the pillar of '{pillar.minion}' has errors: {'; '.join(why)}")


def _is_below(path: KeyPath, wanted: tuple[str, ...]) -> bool:
    if not path or str(path[0]) != wanted[0]:  # quick, for most paths
        return False
    return tuple(map(str, path[: len(wanted)])) == wanted


def _reads_as(path: KeyPath, text: str) -> bool:
    """Say whether a path, or its beginning, is equal to a text when it is formatted."""
    if not path or not text.startswith(str(path[0])):  # quick, for most paths
        return False
    return any(format_path(path[:end]) == text for end in range(1, len(path) + 1))
