"""Describes the states of minions for pages: their pillar reads and sources of arguments."""

from functools import partial
from typing import TYPE_CHECKING

from pillarbook.compile.project import FileRead, Project, scope_of
from pillarbook.highstate.compiled_states import CompiledStates
from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath
from pillarbook.model.limited_cache import LimitedCache
from pillarbook.redact import RedactedPillar, Redactor
from pillarbook.redact.redacted_states import MinionStates, Sources
from pillarbook.taint.argument_trials import ArgumentTrials, find_sources
from pillarbook.taint.state_reads import StateReads

if TYPE_CHECKING:
    from collections.abc import Hashable

# An entry has a list for each chunk of a lowstate, so a few of them need as much memory as a
# pillar.
MAX_KEPT = 1_000
"""The most lowstates whose sources are cached; then the cache is emptied."""


class ShownStates:
    """Describes the states of one minion at a time."""

    def __init__(self, project: Project, redactor: Redactor) -> None:
        self._project = project
        self._redactor = redactor
        self._reads = StateReads(self._show)
        self._trials = ArgumentTrials(project)
        # By the tree of states and the traces of each SLS, which minions with the same renders
        # share.
        self._sources: dict[tuple[Hashable, ...], tuple[Sources, ...]] = LimitedCache(MAX_KEPT)

    def forget(self) -> None:
        """Empty the caches, because keys are shown differently now."""
        self._reads.forget()
        self._sources.clear()

    def of(
        self, states: CompiledStates, redacted: RedactedPillar, minion: Minion, *, traced: bool
    ) -> MinionStates:
        """Return the states of a minion, with the pillar keys of their arguments if ``traced``."""
        found = self._trials.trace(states, minion) if traced and states.chunks else {}
        key = (states.tree, *found.values())
        sources = self._sources.get(key)
        if sources is None:
            sources = self._sources[key] = find_sources(states, found, self._show)
        return MinionStates(
            states=redacted,
            sls=self._reads.of_sls(states, partial(self._show_file, minion)),
            targets=self._reads.of_targets(states),
            sources=sources,
            traced=traced and all(one.complete for one in found.values()),
            recorded=not states.readers.without_recording,
        )

    def _show_file(self, minion: Minion, file: FileRead) -> str:
        """Return the path of a file of the states, as in origins."""
        scope = self._project.scope_of_states(scope_of(minion, self._project))
        found = scope.roots.find(file.path, file.saltenv)
        return self._redactor.names.clean(file.path if found is None else found.shown)

    def _show(self, path: KeyPath) -> KeyPath:
        return tuple(map(self._redactor.names.clean_key, path))
