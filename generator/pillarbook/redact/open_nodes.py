"""Finds the containers in which the rules call nothing secret.

Each minion has a few containers of its own, and they are looked at several times: for secrets that
templates contain, for lines of files that are secret, for secrets, to be written. Most of them hold
no secret, so each of these steps passes them by.
"""

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pillarbook.model import Leaf, ListNode, MapNode, Node, Origin
from pillarbook.model.limited_cache import RecentCache
from pillarbook.model.unknown import Unknown
from pillarbook.redact.judged_paths import JudgedPath

if TYPE_CHECKING:
    from pillarbook.redact.redaction_rules import Rules

Place: TypeAlias = tuple[str, str | None, str | None]
"""A file, an SLS and an environment."""
Places: TypeAlias = frozenset[Place]
# Protects memory: a node is kept with the values below it. Minions that follow each other share
# most containers.
MAX_RECENT = 10_000
"""The number of containers after which those that were not asked for again are dropped."""
UNKNOWN: Final = object()


class OpenNodes:
    """Judges containers; those that minions share are judged once for each path."""

    def __init__(self, rules: "Rules") -> None:
        self._rules = rules
        self._known = RecentCache[tuple[Node, JudgedPath], Places | None](MAX_RECENT)
        # Equal sets are one object. Not limited: there are as many as combinations of files.
        self._places: dict[Places, Places] = {}

    def find(self, node: Node, at: JudgedPath) -> Places | None:
        """Return where the values of a node come from; None if one of them may be secret.

        A value may still be a copy of a secret, or secret by its own path in its file.
        """
        if isinstance(node, Leaf):
            found: set[Place] = set()
            return self.join(found) if self._is_open(node, at, found) else None
        spot = node, at
        known: Any = self._known.get(spot, UNKNOWN)
        if known is UNKNOWN:
            known = self._known[spot] = self._look(node, at)
        places: Places | None = known
        return places

    def join(self, places: set[Place]) -> Places:
        """Return a set as one object for all equal sets."""
        found = frozenset(places)
        return self._places.setdefault(found, found)

    def _look(self, node: MapNode | ListNode, at: JudgedPath) -> Places | None:
        if node.overrode:
            return None
        found: set[Place] = set()
        if not node.items:
            is_open = not at.facts.secret_keys and self._are_open(node.origins, at, found)
        elif self._rules.names_beside(node.items):
            is_open = False
        elif isinstance(node, ListNode):
            is_open = self._are_members_open(enumerate(node.items), at, found)
        else:
            is_open = self._are_members_open(node.items.items(), at, found)
        return self.join(found) if is_open else None

    def _are_members_open(
        self, members: Iterable[tuple[Hashable, Node]], at: JudgedPath, found: set[Place]
    ) -> bool:
        for key, item in members:
            if isinstance(item, Leaf):
                if not self._is_open(item, at.below(key), found):
                    return False
            else:
                inner = self.find(item, at.below(key))
                if inner is None:
                    return False
                found |= inner
        return True

    def _is_open(self, leaf: Leaf, at: JudgedPath, found: set[Place]) -> bool:
        """Say whether a leaf holds no secret, and add where its values come from."""
        if leaf.secret is not None or at.facts.secret_keys or leaf.value.__class__ is Unknown:
            return False
        if self._rules.judge(at, leaf.value) is not None:
            return False
        origins = leaf.origins
        if len(origins) == 1:  # as of nearly all values of a fleet
            (origin,) = origins
            if origin.value is leaf.value and origin.__class__ is Origin:
                found.add((origin.file, origin.sls, origin.saltenv))
                return True
        return self._are_open(origins, at, found)

    def _are_open(self, origins: tuple[Origin, ...], at: JudgedPath, found: set[Place]) -> bool:
        for origin in origins:
            if origin.__class__ is not Origin or self._rules.judge(at, origin.value) is not None:
                return False
            path = (*at.keys, *origin.below)
            if origin.below and self._rules.find_reason(path, origin.value) is not None:
                return False
            found.add((origin.file, origin.sls, origin.saltenv))
        return True
