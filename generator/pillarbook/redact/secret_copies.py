"""Reports text of the tree that equals or contains a secret from another source."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.model import KeyPath, Position, format_path
from pillarbook.model.limited_cache import LimitedCache, recall
from pillarbook.redact.copy_search import COPY
from pillarbook.redact.node_redactor import RedactedPart
from pillarbook.redact.redacted_pillar import Redacted

CODE = "secret-copied"
# Protects memory. A part that is no longer cached is searched again.
MAX_KEPT = 50_000
"""The most parts that are cached; then the cache is emptied."""


class _Copy(NamedTuple):
    """A text that equals or contains a secret from another source."""

    position: Position
    """Its position."""
    path: KeyPath
    """Its keys; for an overridden text, the keys of the value that overrides it."""
    is_overridden: bool
    """Whether another value overrides the text."""


class SecretCopies:
    """Gathers the copies in a fleet's pillars; parts that minions share are searched once."""

    def __init__(self) -> None:
        # By the part that minions share; parts never change. Emptied at the limit: a part can be
        # searched again, and the copies that were found stay in `_found`.
        self._of = LimitedCache[RedactedPart, tuple[_Copy, ...]](MAX_KEPT)
        self._found: dict[_Copy, dict[str, None]] = {}

    def note(self, minion: str, part: RedactedPart) -> None:
        """Note the copies in a part of a minion's pillar."""
        copies = recall(self._of, part, lambda: tuple(dict.fromkeys(_find_copies(part))))
        for copy in copies:
            self._found.setdefault(copy, {})[minion] = None

    def found(self) -> Iterator[Diagnostic]:
        """Yield a diagnostic for each copy."""
        for (position, path, is_overridden), minions in self._found.items():
            key = format_path(path)
            what = f"an overridden value of '{key}'" if is_overridden else f"'{key}'"
            yield new_diagnostic(
                CODE,
                f"{what} is, or contains, a copy of a secret, so it is redacted",
                position,
                path=path,
                minions=tuple(minions),
                remedy="remove the copy and change the secret: everybody with the tree can read it",
            )


def _find_copies(part: RedactedPart) -> Iterator[_Copy]:
    for leaf in part.leaves:
        for origin in leaf.origins:
            if isinstance(origin.value, Redacted) and origin.value.reason == COPY:
                is_overridden = origin.value != leaf.value
                path = _up_to_list(part.data, leaf.path) if is_overridden else leaf.path
                yield _Copy(Position(origin.file, origin.line), path, is_overridden)


def _up_to_list(data: Any, path: KeyPath) -> KeyPath:
    """Return a path up to its first list; a list overrides another list as a whole."""
    for at, key in enumerate(path[1:], start=1):
        if isinstance(data, list):
            return path[:at]
        data = data[key]
    return path
