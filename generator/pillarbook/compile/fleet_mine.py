"""The mine of the declared fleet, as a master finds it in its cache."""

from collections.abc import Iterable, Mapping
from typing import Any

from pillarbook.compile.matchers import IdKind, MatcherError, match_id, match_target
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.reads import fingerprint
from pillarbook.compile.renderers.jinja.function_errors import UnansweredCallError
from pillarbook.inventory.minions import Minion


class FleetMine:
    """The mine data of all declared minions.

    It is the same for every minion of a run, so reads of it are not recorded.
    """

    def __init__(self, view: MinionView) -> None:
        self._view = view

    @property
    def is_declared(self) -> bool:
        """Whether any minion has mine data."""
        return any(minion.mine for minion in self._view.project.fleet)

    def matching(self, target: Any, matcher: str) -> Iterable[str]:
        """Return the ids of the minions that a target matches; none if the target is invalid.

        They are sorted; for a list, they have its order.

        Raises:
            UnansweredCallError: The target needs the pillar of other minions.

        Source: Salt ``salt/utils/minions.py`` (``CkMinions.check_minions``).
        """

        def find() -> tuple[str, ...]:
            is_list = matcher == "list"
            return tuple(
                self._match_list(target) if is_list else sorted(self._match(target, matcher))
            )

        key = ("mine", self._view.scope.number, fingerprint(target), matcher)
        return self._view.remembered.derive(key, find)

    def _match(self, target: Any, matcher: str) -> list[str]:
        nodegroups = self._view.scope.options.values.get("nodegroups") or {}
        try:
            return [
                minion.id
                for minion in self._view.project.fleet
                if match_target(target, matcher, _Other(minion, nodegroups))
            ]
        except MatcherError:
            return []

    def _match_list(self, target: Any) -> Iterable[str]:
        known = {minion.id for minion in self._view.project.fleet}
        words = target.split(",") if isinstance(target, str) else target
        return dict.fromkeys(word for word in words if word in known)

    def data_of(self, minion_id: str) -> Mapping[str, Any]:
        """Return a minion's mine data by function."""
        fleet = self._view.project.fleet
        known = self._view.remembered.derive("mine", lambda: {one.id: one.mine for one in fleet})
        return known[minion_id]


class _Other:
    """A minion as it is in the master's cache."""

    def __init__(self, minion: Minion, nodegroups: Mapping[str, Any]) -> None:
        self.minion_id = minion.id
        self.grains = minion.grains
        self.nodegroups = nodegroups

    @property
    def pillar(self) -> Mapping[str, Any]:
        """Raise an error: the pillar of other minions is not known here."""
        raise UnansweredCallError("with a target by pillar, which is not known for other minions")

    def id_matches(self, kind: IdKind, pattern: str) -> bool:
        """Say whether the minion id matches."""
        return match_id(kind, pattern, self.minion_id)
