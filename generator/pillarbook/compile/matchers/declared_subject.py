"""A minion whose data is known, to be matched outside of its compile."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pillarbook.compile.matchers.id_match import match_id
from pillarbook.compile.matchers.subject import IdKind
from pillarbook.inventory.minions import Minion


@dataclass(frozen=True, slots=True)
class KnownSubject:
    """A minion, to be matched against a target that its compile did not read: a ``Subject``."""

    minion_id: str
    """Its id."""
    grains: Mapping[str, Any]
    """Its grains."""
    nodegroups: Mapping[str, Any]
    """The master's nodegroups."""
    pillar: Mapping[str, Any] = field(default_factory=dict)
    """The part of its pillar that is known before any file."""

    def id_matches(self, kind: IdKind, pattern: str) -> bool:
        """Say whether its id matches."""
        return match_id(kind, pattern, self.minion_id)


def declared_subject(minion: Minion, nodegroups: Mapping[str, Any]) -> KnownSubject:
    """Return a declared minion, whose declared pillar is known."""
    pillar = minion.pillar if isinstance(minion.pillar, Mapping) else {}
    return KnownSubject(minion.id, minion.grains, nodegroups, pillar)
