"""Which top-level values of a pillar hold no secret, noted when it is compiled.

Its secrets are collected and it is written only after the whole fleet is compiled. By then the
results of ``OpenNodes`` for containers that only this minion has are dropped, or would take too
much memory.
"""

from collections.abc import Callable, Hashable
from typing import NamedTuple

from pillarbook.model import MapNode
from pillarbook.redact.open_nodes import Place, Places
from pillarbook.redact.redaction_rules import Rules


class _Parts(NamedTuple):
    closed: frozenset[Hashable]
    """The keys whose values may hold a secret."""
    places: Places
    """Where the other values come from."""


class OpenParts:
    """Notes which parts of pillars are open.

    ``are_harmless`` says whether no value of some files is secret by its own path there.
    """

    def __init__(self, rules: Rules | None, are_harmless: Callable[[Places], bool]) -> None:
        self._rules = rules
        self._are_harmless = are_harmless
        # By the pillar, to the end of the run; equal parts are one object.
        self._known: dict[MapNode, _Parts] = {}
        self._equal: dict[_Parts, _Parts] = {}

    def note(self, tree: MapNode) -> None:
        """Note which top-level values of a pillar hold no secret."""
        rules = self._rules
        if rules is None or tree.overrode or rules.names_beside(tree.items):
            return
        top, closed, found = rules.at(()), [], set[Place]()
        for key, node in tree.items.items():
            places = rules.open_nodes.find(node, top.below(key))
            if places is None:
                closed.append(key)
            else:
                found |= places
        parts = _Parts(frozenset(closed), rules.open_nodes.join(found))
        self._known[tree] = self._equal.setdefault(parts, parts)

    def closed_keys(self, tree: MapNode) -> frozenset[Hashable] | None:
        """Return the top-level keys whose values may hold a secret; None if any may.

        Other values may still be copies of secrets.
        """
        parts = self._known.get(tree)
        return parts.closed if parts is not None and self._are_harmless(parts.places) else None
