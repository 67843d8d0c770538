"""Compiles the minions of a run, and marks what is derived from secrets in pillars and states."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.pillar import compile_pillar
from pillarbook.compile.project import Project, Scope, scope_of
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.highstate.compiled_states import CompiledStates
from pillarbook.inventory.minions import Minion
from pillarbook.model import Position
from pillarbook.redact import DeclaredSecrets, Redactor, Rules, SecretStore
from pillarbook.redact.redacted_grains import collect_options
from pillarbook.session.failed_compiles import or_failed
from pillarbook.supervise.render_limits import Watch
from pillarbook.taint.taint import TaintMarker

if TYPE_CHECKING:
    from pillarbook.highstate.needed_states import NeededStates

LOST = "there are no states if placeholders replace the secrets"


class MinionCompiler:
    """Compiles one minion at a time; an exception makes only its minion fail.

    ``rules`` decide what is secret; None reveals everything, so nothing is marked.
    """

    def __init__(
        self,
        project: Project,
        rules: Rules | None,
        store: SecretStore,
        watch: Watch,
        state_switch: "StateSwitch",
    ) -> None:
        self._project = project
        self.state_switch = state_switch
        """Decides which minions have states."""
        self._watch = watch
        # By the declared patterns, of which a fleet has few; so minions with the same patterns
        # share marked nodes.
        self._declared: dict[tuple[str, ...], DeclaredSecrets] = {}
        self._has_chunks = False
        self._pillar_marker = self._state_marker = None
        if rules is not None:
            # With another label, the same token key would give other placeholders and other marks.
            key = store.key.derive(b"stand-ins")
            self._pillar_marker = TaintMarker(project, rules, key, self.compile_without_recording)
            self._state_marker = TaintMarker(project, rules, key, self._try_states)

    def has_states(self, minion: Minion) -> bool:
        """Say whether a top file may name states for a minion."""
        return self.state_switch.has_states(minion)

    def compile_states(self, minion: Minion, pillar: CompiledPillar) -> CompiledStates:
        """Compile the states of a minion for its marked pillar."""
        self._watch.minion = minion.id
        states = _compile_states(minion, self._project, pillar)
        marker = self._state_marker
        if marker is None:
            return states
        self._has_chunks = bool(states.chunks)
        return _as_states(or_failed(minion, lambda: marker.mark(states, minion, self._project)))

    def compile(
        self, minion: Minion, project: Project | None = None, *, briefly: bool = False
    ) -> CompiledPillar:
        """Compile a minion.

        ``project`` replaces that of the session. With ``briefly``, the reason for a derived value
        need not name its secret.
        """
        project = project or self._project
        compiled = self.compile_without_recording(minion, project)
        marker = self._pillar_marker
        if marker is None:
            return compiled
        return or_failed(minion, lambda: marker.mark(compiled, minion, project, briefly=briefly))

    def compile_without_recording(self, minion: Minion, project: Project) -> CompiledPillar:
        """Compile a minion without recording; derived values are not marked."""
        self._watch.minion = minion.id
        return or_failed(
            minion, lambda: self._mark_declared(compile_pillar(minion, project), minion)
        )

    def _mark_declared(self, compiled: CompiledPillar, minion: Minion) -> CompiledPillar:
        """Return a pillar with marks on the secrets that the inventory declares."""
        if not minion.secrets:
            return compiled
        declared = self._declared.get(minion.secrets)
        if declared is None:
            declared = self._declared[minion.secrets] = DeclaredSecrets(minion.secrets)
        return replace(compiled, tree=declared.mark(compiled.tree))

    def _try_states(self, minion: Minion, project: Project) -> CompiledStates:
        """Compile the states of a minion again with placeholders.

        If there is an error, Salt returns no chunks, so nothing could be compared.
        """
        pillar = self.compile_without_recording(minion, project)
        states = _compile_states(minion, project, pillar)
        if self._has_chunks and states.raises is None and states.errors and not states.chunks:
            return replace(states, raises=LOST)
        return states


def declare_secrets(
    redactor: Redactor, minions: Iterable[Minion], options: Mapping[str, Any]
) -> None:
    """Pass the secret grains that the inventory declares, and secret options, to the redactor."""
    declared: dict[tuple[str, ...], DeclaredSecrets] = {}
    given = [options]
    for minion in minions:
        if minion.secrets:
            found = declared.setdefault(minion.secrets, DeclaredSecrets(minion.secrets))
            redactor.declare(minion.grains, found)
        if minion.opts:
            given.append(minion.opts)
    if redactor.rules is not None:
        for one in given:
            collect_options(one, redactor.rules, redactor.store)


def _compile_states(minion: Minion, project: Project, pillar: CompiledPillar) -> CompiledStates:
    from pillarbook.highstate.highstate import compile_states  # noqa: PLC0415 (many runs have no states)

    return _as_states(or_failed(minion, lambda: compile_states(minion, project, pillar)))


def _as_states(compiled: CompiledPillar) -> CompiledStates:
    """Return states unchanged, and a failed compile as failed states."""
    if isinstance(compiled, CompiledStates):
        return compiled
    known = {field.name: getattr(compiled, field.name) for field in fields(compiled)}
    return CompiledStates(**known, sls={})


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
