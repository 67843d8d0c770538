"""The texts of a pillar that were not redacted, to look for secrets of other places in."""

from collections.abc import Iterable
from dataclasses import dataclass

from pillarbook.redact.redacted_pillar import RedactedLeaf
from pillarbook.redact.secret_search import Searches, SecretSearch, searchable


@dataclass(slots=True, eq=False)
class OpenTexts:
    """The open texts of some leaves; remembers what was looked for in them."""

    joined: bytes
    """All of them."""
    innocent: frozenset[int] = frozenset()
    """Secrets known not to be in them."""
    guilty: frozenset[int] = frozenset()
    """Secrets known to be in them."""
    everything: SecretSearch | None = None
    """The search for all secrets that found them."""

    @classmethod
    def of(cls, leaves: Iterable[RedactedLeaf]) -> "OpenTexts":
        """Return the open texts of some leaves, overridden values included."""
        values = [
            value
            for leaf in leaves
            for value in (leaf.value, *(origin.value for origin in leaf.origins))
        ]
        texts = {raw for raw in map(searchable, values) if raw is not None}
        return cls(b"\0".join(sorted(texts)))

    def __repr__(self) -> str:
        """Return how many there are, never one of them."""
        return f"OpenTexts({len(self.joined)} bytes)"

    def find(self, places: frozenset[int], searches: Searches) -> frozenset[int]:
        """Return which secrets at some places are in the texts."""
        unknown = places - self.innocent - self.guilty
        if unknown:
            found = searches.among(unknown).places_in(self.joined)
            self.guilty |= found
            self.innocent |= unknown - found
        return places & self.guilty

    def find_all(self, everything: SecretSearch) -> frozenset[int]:
        """Return which of all secrets are in the texts."""
        if self.everything is not everything:
            self.everything, self.guilty = everything, everything.places_in(self.joined)
        return self.guilty
