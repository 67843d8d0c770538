"""Compiles everything that pages show of minions, before the first page is written."""

from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.diagnostics import Severity
from pillarbook.inventory.minions import Minion
from pillarbook.redact import Redactor
from pillarbook.session.fleet import Fleet
from pillarbook.session.fleet_compiler import FleetCompiler

if TYPE_CHECKING:
    from pillarbook.highstate.compiled_states import CompiledStates


class CompiledAhead:
    """Compiles minions, and keeps what their pages need of it until these are written."""

    def __init__(self, fleet: Fleet, compiler: FleetCompiler, redactor: Redactor) -> None:
        self._fleet = fleet
        self._compiler = compiler
        self._redactor = redactor
        # By a minion's own id, because the shown id may change when secrets are known: the pillar
        # as declared, in each environment, and the states.
        self._pillars: dict[str, tuple[CompiledPillar, ...]] = {}
        self._states: dict[str, CompiledStates] = {}
        # What minions of one kind have equal, such as their includes; until the first page is
        # written.
        self._equal: dict[Hashable, Any] = {}

    def compile(self, minion: str) -> Sequence[CompiledPillar]:
        """Return everything that pages show of a minion, with the lines of its files indexed."""
        fleet, compiler = self._fleet, self._compiler
        declared = fleet.declared(minion)
        own = self._share(self._index(compiler.compile_as(declared)))
        pillars = [own]
        for side in fleet.environments:
            forced = fleet.forced(side.name, minion)
            pillars.append(own if forced == declared else self._compile_beside(forced))
        self._pillars[declared.id] = tuple(pillars)
        if compiler.may_have_states(minion):
            states = compiler.minion_compiler.compile_states(declared, own)
            self._states[declared.id] = states
            pillars.append(self._index(states))
        return pillars

    def _index(self, compiled: CompiledPillar) -> CompiledPillar:
        with suppress(RecursionError):  # too deep, which ``redact`` reports
            self._redactor.index((compiled,))
        return compiled

    def _share(self, compiled: CompiledPillar) -> CompiledPillar:
        """Return a pillar with one object for what other minions have as well."""
        equal = {
            name: self._equal.setdefault(one, one)
            for name in ("includes", "under", "looks")
            if (one := getattr(compiled, name))
        }
        return replace(compiled, **equal)

    def _compile_beside(self, forced: Minion) -> CompiledPillar:
        """Return what pages show of a pillar in another environment: its values and its errors."""
        compiled = self._index(self._compiler.compile_as(forced))
        errors = tuple(one for one in compiled.diagnostics if one.severity is Severity.ERROR)
        return replace(compiled.without_making(), diagnostics=errors)

    def pillar(self, minion: str) -> CompiledPillar | None:
        """Return a minion's pillar, by its own id; None if it was not compiled."""
        found = self._pillars.get(minion)
        return found[0] if found else None

    def pillar_in(self, number: int, minion: Minion) -> CompiledPillar:
        """Return a minion's pillar in an environment; compiles it if necessary."""
        found = self._pillars.get(minion.id)
        return found[1 + number] if found else self._compiler.compile_as(minion)

    def states(self, minion: str) -> "CompiledStates | None":
        """Return the states of a minion, by its own id; None if they were not compiled."""
        return self._states.get(minion)

    def forget(self, minion: str) -> None:
        """Drop the results of a minion whose page is written, by its own id."""
        self._equal.clear()
        self._pillars.pop(minion, None)
        self._states.pop(minion, None)
