"""What a comparison of two pillars comes to."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pillarbook.model import KeyPath
from pillarbook.redact.redacted_pillar import RedactedOrigin

ChangeKind: TypeAlias = Literal["added", "removed", "changed", "moved", "reordered"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference between the pillars of a minion on two sides.

    It holds the pillars' own data, which is shared and not to be changed.
    """

    path: KeyPath
    """Where it is; of ``moved`` and ``reordered`` the list or mapping. Integers that are list
    positions count in the head; but for the last of a ``removed`` list member, in the base."""
    kind: ChangeKind
    """What happened there."""
    before: Any = None
    """The data in the base, with ``Redacted`` at secrets; of ``moved`` the member; of
    ``reordered`` the keys that change places, a tuple in the base's order."""
    after: Any = None
    """The data in the head; of ``moved`` the member again; of ``reordered`` the same keys, a
    tuple in the head's order."""
    before_origin: RedactedOrigin | None = None
    """What set it in the base; of a mapping or list its first leaf's. None of ``added`` and
    ``reordered``."""
    after_origin: RedactedOrigin | None = None
    """What set it in the head. None of ``removed`` and ``reordered``."""
    behind: tuple[Hashable, ...] | None = None
    """Of an ``added`` key of a mapping: the key before it in the head; ``()`` where it is first."""
    moved_from: int | None = None
    """Of ``moved``: the position in the base."""
    moved_to: int | None = None
    """Of ``moved``: the position in the head."""
    positions: frozenset[int] = frozenset()
    """Which places of ``path`` hold list positions and not keys."""

    @property
    def container(self) -> KeyPath:
        """The path of the mapping or list that the change is a change of."""
        return self.path if self.kind in {"moved", "reordered"} else self.path[:-1]

    @property
    def is_of_member(self) -> bool:
        """Whether it adds, removes, changes or moves a member of a list."""
        if self.kind in {"moved", "reordered"}:
            return self.kind == "moved"
        return len(self.path) - 1 in self.positions
