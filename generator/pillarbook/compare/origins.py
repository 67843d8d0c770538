"""What set a value: of a scalar its last origin, of a mapping or list its first leaf's."""

from collections.abc import Hashable, Iterable

from pillarbook.compare.strict import canonical
from pillarbook.model import KeyPath
from pillarbook.redact.redacted_pillar import RedactedLeaf, RedactedOrigin


class WinningOrigins:
    """The origins of some leaves, found by path; read only when the first is asked for."""

    def __init__(self, leaves: Iterable[RedactedLeaf]) -> None:
        self._leaves = leaves
        self._first: dict[tuple[Hashable, ...], RedactedOrigin | None] | None = None

    def find(self, path: KeyPath) -> RedactedOrigin | None:
        """Return the origin of what stands at a path; None where nobody says."""
        if self._first is None:
            self._first = self._read()
        known = tuple(map(canonical, path))
        while known and known not in self._first:
            known = known[:-1]  # within a scalar that has members, such as a tuple
        return self._first.get(known)

    def _read(self) -> dict[tuple[Hashable, ...], RedactedOrigin | None]:
        first: dict[tuple[Hashable, ...], RedactedOrigin | None] = {}
        for leaf in self._leaves:
            known = tuple(map(canonical, leaf.path))
            origin = leaf.origins[-1] if leaf.origins else None
            while known and known not in first:
                first[known] = origin
                known = known[:-1]
        return first
