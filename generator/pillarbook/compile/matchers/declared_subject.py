"""A declared minion, to be matched outside of its compile."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pillarbook.compile.matchers.id_match import match_id
from pillarbook.compile.matchers.subject import IdKind
from pillarbook.inventory.minions import Minion

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class DeclaredSubject:
    """A declared minion, to be matched against a target that its compile did not read."""

    minion: Minion
    """The minion."""
    nodegroups: Mapping[str, Any]
    """The master's nodegroups."""

    @property
    def minion_id(self) -> str:
        """Its id."""
        return self.minion.id

    @property
    def grains(self) -> Mapping[str, Any]:
        """Its grains."""
        return self.minion.grains

    @property
    def pillar(self) -> Mapping[str, Any]:
        """The part of its pillar that is known before any file: the declared part."""
        declared = self.minion.pillar
        return declared if isinstance(declared, Mapping) else _NOTHING

    def id_matches(self, kind: IdKind, pattern: str) -> bool:
        """Say whether its id matches."""
        return match_id(kind, pattern, self.minion.id)
