"""One difference between two pillars, as data and as JSON."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from pillarbook.model import KeyPath, to_tagged
from pillarbook.redact.redacted_json import GetToken, origin_to_json, to_json
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
    """How it changed."""
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
    """Of an ``added`` key of a mapping: the key before it in the head; ``()`` if it is first."""
    moved_from: int | None = None
    """Of ``moved``: the position in the base."""
    moved_to: int | None = None
    """Of ``moved``: the position in the head."""
    positions: frozenset[int] = frozenset()
    """Which places of ``path`` hold list positions and not keys."""
    replaced: tuple[Sequence[Any], Sequence[Any]] | None = field(default=None, compare=False)
    """Of a member that is ``added`` or ``removed``: its list on both sides, if no member stays."""

    @property
    def container(self) -> KeyPath:
        """The path of the mapping or list that the change is a change of."""
        return self.path if self.kind in {"moved", "reordered"} else self.path[:-1]


def change_to_json(change: Change, token: GetToken) -> dict[str, Any]:
    """Return a change without its path: ``kind``, both sides and their origins."""
    written: dict[str, Any] = {"kind": change.kind}
    if change.kind == "reordered":
        return written | {
            "before": [to_tagged(key) for key in change.before],
            "after": [to_tagged(key) for key in change.after],
        }
    if change.kind == "moved":
        written |= {"from": change.moved_from, "to": change.moved_to}
    if change.kind != "added":
        written["before"] = to_json(change.before, token)
        written["before_origin"] = change.before_origin and origin_to_json(change.before_origin)
    if change.kind != "removed":
        written["after"] = to_json(change.after, token)
        written["after_origin"] = change.after_origin and origin_to_json(change.after_origin)
    if change.behind is not None:
        written["behind"] = [to_tagged(key) for key in change.behind]
    return written
