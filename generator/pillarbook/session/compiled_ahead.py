"""What pages show of minions, compiled before the first page is written."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.inventory.minions import Minion
from pillarbook.session.fleet import Fleet
from pillarbook.session.fleet_compiler import FleetCompiler

if TYPE_CHECKING:
    from pillarbook.highstate.compiled_states import CompiledStates


class CompiledAhead:
    """Compiles minions, and keeps the results until their pages were written."""

    def __init__(self, fleet: Fleet, compiler: FleetCompiler) -> None:
        self._fleet = fleet
        self._compiler = compiler
        # By a minion's own id, since others may be shown once secrets are known: as declared, in
        # each environment, and the states.
        self._pillars: dict[str, tuple[CompiledPillar, ...]] = {}
        self._states: dict[str, CompiledStates] = {}

    def compile(self, minion: str) -> Sequence[CompiledPillar]:
        """Return all that pages show of a minion."""
        fleet, compiler = self._fleet, self._compiler
        declared = fleet.declared(minion)
        own = compiler.compile_as(declared)
        pillars = [own]
        for side in fleet.environments:
            forced = fleet.forced(side.name, minion)
            pillars.append(own if forced == declared else compiler.compile_as(forced))
        self._pillars[declared.id] = tuple(pillars)
        if compiler.may_have_states(minion):
            states = compiler.minion_compiler.compile_states(declared, own)
            self._states[declared.id] = states
            pillars.append(states)
        return pillars

    def pillar(self, minion: str) -> CompiledPillar | None:
        """Return what a minion gets, by its own id; None if it was not compiled ahead."""
        found = self._pillars.get(minion)
        return found[0] if found else None

    def pillar_in(self, number: int, minion: Minion) -> CompiledPillar:
        """Return what a minion gets in an environment, compiled now if need be.

        Args:
            number: Which environment, counted from 0.
            minion: The minion as it is declared there.
        """
        found = self._pillars.get(minion.id)
        return found[1 + number] if found else self._compiler.compile_as(minion)

    def states(self, minion: str) -> "CompiledStates | None":
        """Return the states of a minion, by its own id; None if they were not compiled ahead."""
        return self._states.get(minion)

    def forget(self, minion: str) -> None:
        """Let go of a minion whose page was written, by its own id."""
        self._pillars.pop(minion, None)
        self._states.pop(minion, None)
