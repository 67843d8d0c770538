"""Compiles the minions of a run, watched, and marks what is derived from secrets."""

from collections.abc import Iterable
from dataclasses import replace

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.pillar import compile_pillar
from pillarbook.compile.project import Project
from pillarbook.compile.scopes import scope_of
from pillarbook.highstate.highstate import CompiledStates
from pillarbook.highstate.state_tops import has_state_tops
from pillarbook.inventory.minions import Minion
from pillarbook.redact import DeclaredSecrets, Redactor, Rules, SecretStore
from pillarbook.session.failed_compiles import or_failed
from pillarbook.session.state_compiler import StateCompiler
from pillarbook.supervise.watch import Watch
from pillarbook.taint.taint import TaintMarker


class MinionCompiler:
    """Compiles one minion after the other; what goes wrong is that minion's outcome.

    ``rules`` say what is secret; None reveals everything.
    """

    def __init__(
        self, project: Project, rules: Rules | None, store: SecretStore, watch: Watch
    ) -> None:
        self._project = project
        self._watch = watch
        # By the declared patterns, of which a fleet has a few; so minions with the same ones share
        # marked nodes.
        self._declared: dict[tuple[str, ...], DeclaredSecrets] = {}
        self._states = StateCompiler(project, rules, store, self.compile_without_recording)
        self._derived = (
            None
            if rules is None
            else TaintMarker(
                # The label is part of the key: another one would make other placeholders, and with
                # them other marks, for the same token key.
                project,
                rules,
                store.key.derive(b"stand-ins"),
                self.compile_without_recording,
            )
        )

    def has_states(self, minion: Minion) -> bool:
        """Say whether there is any top file that could name states for a minion."""
        return has_state_tops(scope_of(minion, self._project))

    def compile_states(self, minion: Minion, pillar: CompiledPillar) -> CompiledStates:
        """Compile the states of a minion."""
        self._watch.minion = minion.id
        return self._states.compile(minion, pillar)

    def compile(
        self, minion: Minion, project: Project | None = None, *, briefly: bool = False
    ) -> CompiledPillar:
        """Compile a minion.

        ``project`` is given if another one than the session's counts. With ``briefly`` it is enough
        to know that a value is derived from some secret.
        """
        project = project or self._project
        compiled = self.compile_without_recording(minion, project)
        derived = self._derived
        # Everything is revealed, so no value needs a mark.
        if derived is None:
            return compiled
        return or_failed(minion, lambda: derived.mark(compiled, minion, project, briefly=briefly))

    def compile_without_recording(self, minion: Minion, project: Project) -> CompiledPillar:
        """Compile a minion, and mark nothing that is derived from secrets."""
        self._watch.minion = minion.id
        return or_failed(
            minion, lambda: self._mark_declared(compile_pillar(minion, project), minion)
        )

    def _mark_declared(self, compiled: CompiledPillar, minion: Minion) -> CompiledPillar:
        """Return a pillar with what the inventory names as secret of its minion marked."""
        if not minion.secrets:
            return compiled
        declared = self._declared.get(minion.secrets)
        if declared is None:
            declared = self._declared[minion.secrets] = DeclaredSecrets(minion.secrets)
        return replace(compiled, tree=declared.mark(compiled.tree))


def declare_secrets(redactor: Redactor, minions: Iterable[Minion]) -> None:
    """Tell the redactor which grains the inventory names as secret."""
    declared: dict[tuple[str, ...], DeclaredSecrets] = {}
    for minion in minions:
        if minion.secrets:
            found = declared.setdefault(minion.secrets, DeclaredSecrets(minion.secrets))
            redactor.declare(minion.grains, found)
