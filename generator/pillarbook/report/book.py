"""What the pages are written from."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pillarbook.diagnostics import Diagnostic
from pillarbook.redact.model import RedactedPillar


class Book(Protocol):
    """The result of a run, as far as pages may see it.

    Pillars are asked for once each, in the order of ``minions``, and may be compiled only then.
    """

    @property
    def site_name(self) -> str:
        """The name of the report."""

    @property
    def minions(self) -> Sequence[str]:
        """The ids of all minions, in inventory order."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All diagnostics, worst first; complete once the last pillar was given."""

    def pillar(self, minion: str) -> RedactedPillar:
        """Return what a minion gets."""

    def grains(self, minion: str) -> Mapping[str, Any]:
        """Return a minion's grains, redacted, as plain data."""

    def diagnostics_of(self, minion: str) -> Sequence[Diagnostic]:
        """Return the diagnostics that concern a minion; complete once its pillar was given."""

    def token(self, place: int) -> str:
        """Return the token of the secret with a place number."""

    def close(self) -> None:
        """Let go of what the run holds; nothing is asked for after that."""
