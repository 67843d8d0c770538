"""Compiles the states of minions, and marks what is derived from secrets in them."""

from dataclasses import fields, replace
from typing import Protocol

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Project
from pillarbook.highstate.highstate import CompiledStates, compile_states
from pillarbook.inventory.minions import Minion
from pillarbook.redact import Rules, SecretStore
from pillarbook.session.failed_compiles import or_failed
from pillarbook.taint.taint import TaintMarker

LOST = "the states are none with other texts in the place of secrets"


class CompilesPillar(Protocol):
    """Compiles a minion's pillar; a failure is its outcome."""

    def __call__(self, minion: Minion, project: Project) -> CompiledPillar:
        """Compile it."""
        ...


class StateCompiler:
    """Compiles the states of one minion after the other; what goes wrong is that one's outcome.

    ``rules`` say what is secret; None reveals everything. ``pillar_of`` compiles a minion's pillar
    without marks.
    """

    def __init__(
        self, project: Project, rules: Rules | None, store: SecretStore, pillar_of: CompilesPillar
    ) -> None:
        self._project = project
        self._pillar_of = pillar_of
        self._has_chunks = False
        self._derived = (
            None
            if rules is None
            else TaintMarker(project, rules, store.key.derive(b"stand-ins"), self._try_out)
        )

    def compile(self, minion: Minion, pillar: CompiledPillar) -> CompiledStates:
        """Compile the states of a minion."""
        states = _compile(minion, self._project, pillar)
        derived = self._derived
        if derived is None:
            return states
        self._has_chunks = bool(states.chunks)
        return _as_states(or_failed(minion, lambda: derived.mark(states, minion, self._project)))

    def _try_out(self, minion: Minion, project: Project) -> CompiledStates:
        """Compile a minion once more, with placeholders.

        Salt gives no chunks at all where there is an error, so none could be compared.
        """
        states = _compile(minion, project, self._pillar_of(minion, project))
        if self._has_chunks and states.raises is None and states.errors and not states.chunks:
            return replace(states, raises=LOST)
        return states


def _compile(minion: Minion, project: Project, pillar: CompiledPillar) -> CompiledStates:
    return _as_states(or_failed(minion, lambda: compile_states(minion, project, pillar)))


def _as_states(compiled: CompiledPillar) -> CompiledStates:
    """Return states as they are, and a failure as states that failed."""
    if isinstance(compiled, CompiledStates):
        return compiled
    known = {field.name: getattr(compiled, field.name) for field in fields(compiled)}
    return CompiledStates(**known, sls={})
