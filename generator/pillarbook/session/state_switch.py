"""Whether the states of a fleet are compiled: the option ``states``."""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from pillarbook.compile.project import Project, Scope, scope_of
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.inventory.minions import Minion
from pillarbook.model import Position

if TYPE_CHECKING:
    from pillarbook.highstate.needed_states import NeededStates

CODE = "missing-states"


class StateSwitch:
    """Decides which minions have states.

    ``states`` is true, false, or None to leave them out if most of their SLS files are missing.
    """

    def __init__(self, project: Project, *, states: bool | None) -> None:
        self._project = project
        self._states = states
        # By the scope's number: minions of one scope have the same roots, which stay as they are.
        self._has_tops: dict[int, bool] = {}

    def has_states(self, minion: Minion) -> bool:
        """Say whether states are wanted, and a top file may name some for a minion."""
        if self._states is False or not self._has_top(scope_of(minion, self._project)):
            return False
        return self._states is True or not self.needed.are_elsewhere

    def _has_top(self, scope: Scope) -> bool:
        known = self._has_tops.get(scope.number)
        if known is None:
            from pillarbook.highstate.state_tops import has_state_tops  # noqa: PLC0415 (many runs have no states)

            known = self._has_tops[scope.number] = has_state_tops(scope)
        return known

    @cached_property
    def needed(self) -> "NeededStates":
        """The state SLS files that the fleet needs, by the options of the master."""
        from pillarbook.highstate.needed_states import find_needed_states  # noqa: PLC0415 (as above)

        scope = self._project.scope_of({}, None)
        return find_needed_states(scope.states, scope.options.values)

    def describe(self) -> Iterator[Diagnostic]:
        """Yield a diagnostic if states are left out because most files are missing."""
        if self._states is not None or "needed" not in self.__dict__:
            return  # nobody has asked for states so far
        names = self.needed.missing if self.needed.are_elsewhere else ()
        if not names:
            return
        yield new_diagnostic(
            CODE,
            f"{len(names)} state SLS are not in this repository (formulas, gitfs?), so no"
            f" states are compiled: {', '.join(names)}",
            Position(self.needed.top),
            remedy="name their folders in `paths:` or `file_roots`, or set `states: false`",
        )
