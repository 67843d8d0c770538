"""What comes through the redactor: pillar with its secrets taken out.

Comparison, pages, JSON and logs know these types only. What is kept of a secret is why it is one
and a place number; its token is put in when something is written.
"""

from dataclasses import dataclass, field
from typing import Any

from pillarbook.diagnostics import PillarbookError
from pillarbook.model import KeyPath, format_path, parse_path


@dataclass(frozen=True, slots=True)
class Redacted:
    """Stands where a secret stood."""

    reason: str
    """Why it is secret, in a few words: ``gpg renderer``, ``key names a password``."""
    place: int
    """Asks the session for the token; secrets of one source have equal tokens."""
    here: int | None = field(default=None, compare=False)  # follows from the place
    """Of what was opened: stands for its file, key path and value, so that two sides are compared
    by value there and nowhere else. None of text of the tree and of ciphertext."""


@dataclass(slots=True, unsafe_hash=True)
class RedactedOrigin:
    """One place that gave a value, whether the value stands or was overridden later.

    Never changed; not declared frozen, as a fleet makes millions.
    """

    file: str
    """The file, relative to the repository, without one to the master file's folder."""
    line: int | None
    """The line, counted from 1; None where the file has no lines to name."""
    sls: str | None
    """The SLS the value came with; an external pillar's name as ``ext_pillar:stack``."""
    saltenv: str | None
    """The environment of that SLS."""
    value: Any
    """The value given there: a scalar, an empty mapping or list, or ``Redacted``."""


@dataclass(slots=True, unsafe_hash=True)
class RedactedLeaf:
    """A scalar, an empty mapping or an empty list of a minion's pillar; never changed, either."""

    path: KeyPath
    """The keys that lead to it."""
    value: Any
    """The value, or ``Redacted``."""
    origins: tuple[RedactedOrigin, ...]
    """Oldest first; the last one set the value."""


@dataclass(frozen=True, slots=True)
class VerdictPart:
    """A word of a compound target or of a nodegroup, and what it says about the minion."""

    text: str
    """The word as it is written: ``G@os:Debian``."""
    matched: bool
    """Whether it matches."""
    parts: tuple["VerdictPart", ...] = ()
    """The words that a nodegroup stands for."""
    operators: str = ""
    """What stands between the word before and this one: ``and not (``."""


@dataclass(frozen=True, slots=True)
class RedactedTarget:
    """One target of a top file, and whether it is this minion."""

    target: str
    """The target as the top file has it."""
    match: str
    """The matcher: ``glob``, ``grain``, ``compound``."""
    saltenv: str
    """The environment that the target stands in."""
    file: str
    """The top file."""
    line: int | None
    """The target's line in it."""
    matched: bool
    """Whether the minion is meant."""
    sls: tuple[str, ...]
    """What the target gives to those it matches."""
    parts: tuple[VerdictPart, ...] = ()
    """The words of a compound target or a nodegroup; empty unless they were asked for."""


@dataclass(frozen=True, slots=True)
class RedactedPillar:
    """What one minion gets, as far as others may see it."""

    minion: str
    """The minion's id."""
    outcome: str
    """``ok``, ``partial``, ``failed`` or ``empty``."""
    leaves: tuple[RedactedLeaf, ...]
    """The values in Salt's order; minions that get the same value may share the object."""
    data: Any
    """The values as plain dicts and lists, ``Redacted`` at the secrets."""
    errors: tuple[str, ...]
    """What Salt would put into ``_errors``."""
    raises: str | None
    """Why Salt would break off; None where it would not."""
    targets: tuple[RedactedTarget, ...]
    """Every target of the top files, in their order."""
    pillarenv: str | None
    """The minion's pillarenv as declared; None where all environments merge."""
    saltenv: str | None
    """The minion's saltenv as declared."""
    revealed: bool
    """Whether it came through the redactor with no rule set; such a pillar is never published."""
    faults: tuple[str, ...] = ()
    """What went wrong, with file and line, in more words than Salt's."""

    @property
    def has_data(self) -> bool:
        """Whether there are values; a failed compile has none to look up or compare."""
        return self.raises is None and self.outcome != "failed"

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of a key path such as ``nginx:workers``.

        The value is shared with other minions: read it only.

        Args:
            key: Keys with a colon between them; a number counts the members of a list.
            default: What is returned if there is no such key.

        Raises:
            FailedPillarError: There is no such key, and the compile had errors: without them the
                key might be there.
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
        """Return the values at and below a key path, each with its origins; all without a key.

        A colon stands between keys. If that reading finds nothing, it may stand within a key.
        """
        if not key:
            return self.leaves
        wanted = parse_path(key)
        found = tuple(leaf for leaf in self.leaves if _is_below(leaf.path, wanted))
        return found or tuple(leaf for leaf in self.leaves if _reads_as(leaf.path, key))


class FailedPillarError(PillarbookError):
    """A value is asked for that a minion lacks, because its pillar has errors."""

    def __init__(self, pillar: RedactedPillar) -> None:
        why = pillar.faults or (*pillar.errors, *((pillar.raises,) if pillar.raises else ()))
        super().__init__(f"the pillar of '{pillar.minion}' has errors: {'; '.join(why)}")


def _is_below(path: KeyPath, wanted: tuple[str, ...]) -> bool:
    return tuple(str(part) for part in path[: len(wanted)]) == wanted


def _reads_as(path: KeyPath, text: str) -> bool:
    """Say whether a path, or its beginning, is written like a text."""
    if ":" not in text or not path or not text.startswith(str(path[0])):  # most are no more like
        return False
    return any(format_path(path[:end]) == text for end in range(1, len(path) + 1))
