"""Where text of the tree is a copy of a secret of another source, or holds one."""

from collections.abc import Iterator

from pillarbook.diagnostics import Diagnostic
from pillarbook.diagnostics.rules import RULES
from pillarbook.model import KeyPath, Position, format_path
from pillarbook.redact.node_redactor import COPY, RedactedPart
from pillarbook.redact.redacted_pillar import Redacted

CODE = "secret-copied"
# Protects memory. A part that was let go is gone through again.
MAX_KEPT = 50_000
"""Parts that are remembered before all are let go."""


class SecretCopies:
    """Gathers the copies in a fleet's pillars; parts that minions share are looked at once."""

    def __init__(self) -> None:
        self._of: dict[RedactedPart, tuple[tuple[Position, KeyPath], ...]] = {}
        self._found: dict[tuple[Position, KeyPath], dict[str, None]] = {}

    def note(self, minion: str, part: RedactedPart) -> None:
        """Take what stands in a part of a minion's pillar."""
        places = self._of.get(part)
        if places is None:
            if len(self._of) >= MAX_KEPT:
                self._of.clear()
            places = self._of[part] = tuple(dict.fromkeys(_find_copies(part)))
        for place in places:
            self._found.setdefault(place, {})[minion] = None

    def found(self) -> Iterator[Diagnostic]:
        """Yield a diagnostic for each copy."""
        for (position, path), minions in self._found.items():
            yield Diagnostic(
                code=CODE,
                severity=RULES[CODE].severity,
                message=f"'{format_path(path)}' is or holds a copy of a secret, so it is hidden",
                position=position,
                path=path,
                minions=tuple(minions),
                help="take the copy out and replace the secret: who can read the tree can read it",
            )


def _find_copies(part: RedactedPart) -> Iterator[tuple[Position, KeyPath]]:
    for leaf in part.leaves:
        for origin in leaf.origins:
            if isinstance(origin.value, Redacted) and origin.value.reason == COPY:
                yield Position(origin.file, origin.line), leaf.path
