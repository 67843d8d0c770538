"""Compile the minions of a fleet, and collect their diagnostics."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from pillarbook.access.fleet_access import FleetAccess
from pillarbook.checks.fleet_findings import FleetFindings
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Project
from pillarbook.highstate.compiled_states import CompiledStates
from pillarbook.inventory.minions import Minion
from pillarbook.session.fleet import Fleet
from pillarbook.session.minion_compiler import MinionCompiler


@dataclass(eq=False)
class FleetCompiler:
    """Compiles minions on request."""

    _fleet: Fleet
    minion_compiler: MinionCompiler
    """Compiles one minion, without noting its diagnostics."""
    project: Project
    """The data that the compiles share."""
    findings: FleetFindings
    """The diagnostics so far."""
    _access: FleetAccess

    def compile(self, minion: str, compiled: CompiledPillar | None = None) -> CompiledPillar:
        """Compile one minion unless ``compiled`` is given; note its diagnostics."""
        declared = self._fleet.declared(minion)
        compiled = compiled or self.compile_as(declared)
        if not self.findings.knows(declared.id):
            self.note(compiled)
        return compiled

    def note(self, compiled: CompiledPillar) -> None:
        """Note the diagnostics of a pillar."""
        self.findings.note(compiled, lambda: self._access.secrets_of(compiled))

    def compile_all(
        self, minions: Iterable[str], step: Callable[[], None] = lambda: None
    ) -> Iterator[CompiledPillar]:
        """Yield the compiled pillar of each minion; ``step`` is called after each."""
        for minion in minions:
            yield self.compile(minion)
            step()

    def compile_as(
        self, minion: Minion, project: Project | None = None, *, briefly: bool = False
    ) -> CompiledPillar:
        """Compile a minion as declared here; its diagnostics are not noted.

        With ``briefly``, the reason for a derived value need not name its secret.
        """
        return self.minion_compiler.compile(minion, project, briefly=briefly)

    def compile_in(self, environment: str, minion: str) -> CompiledPillar:
        """Compile a minion with one of the environments forced; its diagnostics are not noted."""
        return self.compile_as(self._fleet.forced(environment, minion))

    @cached_property
    def has_states(self) -> bool:
        """Whether the fleet has states: a top file in the ``file_roots`` of any minion."""
        return any(map(self.may_have_states, self._fleet.minions))

    def may_have_states(self, minion: str) -> bool:
        """Say whether there is a top file of states for a minion."""
        return self.minion_compiler.has_states(self._fleet.declared(minion))

    def compile_states(
        self, pillar: CompiledPillar, states: CompiledStates | None = None
    ) -> CompiledStates:
        """Compile the states of a minion for a given pillar; note their diagnostics.

        ``states`` are its states, if they are compiled already.
        """
        if states is None:
            declared = self._fleet.declared_by_id(pillar.minion)
            states = self.minion_compiler.compile_states(declared, pillar)
        self.findings.note_more(states)
        return states

    def states_of(self, pillar: CompiledPillar) -> CompiledStates | None:
        """Compile a minion's states; None without a top file of states, or without a pillar."""
        declared = self._fleet.declared_by_id(pillar.minion)
        if pillar.raises is not None or not self.minion_compiler.has_states(declared):
            return None
        return self.compile_states(pillar)
