"""The texts of a pillar that are not redacted, in which copies of secrets are looked for."""

from collections.abc import Iterable
from dataclasses import dataclass

from pillarbook.redact.redacted_pillar import RedactedLeaf
from pillarbook.redact.secret_search import Searches, SecretSearch, searchable


@dataclass(slots=True, eq=False)
class UnredactedTexts:
    """The unredacted texts of some leaves; caches which secrets they contain."""

    joined: bytes
    """All texts."""
    innocent: frozenset[int] = frozenset()
    """Secrets that the texts do not contain."""
    guilty: frozenset[int] = frozenset()
    """Secrets that the texts contain."""
    everything: SecretSearch | None = None
    """The search for all secrets that was used last."""

    @classmethod
    def of(cls, leaves: Iterable[RedactedLeaf]) -> "UnredactedTexts":
        """Return the unredacted texts of some leaves, including overridden values."""
        values = [
            value
            for leaf in leaves
            for value in (leaf.value, *(origin.value for origin in leaf.origins))
        ]
        texts = {raw for raw in map(searchable, values) if raw is not None}
        return cls(b"\0".join(sorted(texts)))

    def __repr__(self) -> str:
        """Return the number of bytes, never a text."""
        return f"UnredactedTexts({len(self.joined)} bytes)"

    def find(self, secret_ids: frozenset[int], searches: Searches) -> frozenset[int]:
        """Return which of some secrets the texts contain."""
        unknown = secret_ids - self.innocent - self.guilty
        if unknown:
            found = searches.among(unknown).ids_in(self.joined)
            self.guilty |= found
            self.innocent |= unknown - found
        return secret_ids & self.guilty

    def find_all(self, everything: SecretSearch) -> frozenset[int]:
        """Return which of all secrets the texts contain."""
        if self.everything is not everything:
            self.everything, self.guilty = everything, everything.ids_in(self.joined)
        return self.guilty
