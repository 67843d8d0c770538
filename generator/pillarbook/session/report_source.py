"""The data for the pages of a report, one minion at a time."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pillarbook.access.fleet_access import FleetAccess
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.diagnostics import Diagnostic
from pillarbook.redact import RedactedOrigin, RedactedPillar
from pillarbook.session.committed_files import CommittedFiles
from pillarbook.session.compiled_ahead import CompiledAhead
from pillarbook.session.fleet import Fleet
from pillarbook.session.fleet_compiler import FleetCompiler
from pillarbook.session.report_commit import ReportDescriber
from pillarbook.session.shown_fleet import ShownFleet
from pillarbook.session.shown_sources import ShownSources

if TYPE_CHECKING:
    from pillarbook.redact.redacted_states import MinionStates
    from pillarbook.redact.shown_access import AccessPath
    from pillarbook.report.history_reader import SavedHistory
    from pillarbook.report.source import (
        DescribesReport,
        EnvironmentSide,
        FilesOfCommit,
        NotCompared,
        PillarSources,
        RevisionSource,
    )
    from pillarbook.roots.history import LineAge
    from pillarbook.session.pillar_files import PillarFiles
    from pillarbook.session.pillar_texts import PillarTexts
    from pillarbook.session.shown_states import ShownStates


class SessionReport:
    """Compiles and redacts the data of pages; implements ``report.ReportSource``."""

    def __init__(
        self,
        site_name: str,
        fleet: Fleet,
        compiler: FleetCompiler,
        shown: ShownFleet,
        access: FleetAccess,
        files: "PillarFiles",
    ) -> None:
        self.site_name = site_name
        """The name of the report."""
        self._fleet = fleet
        self._compiler = compiler
        self._shown = shown
        self._access = access
        self._states: ShownStates | None = None
        self._latest: tuple[CompiledPillar, RedactedPillar] | None = None
        self.ahead = CompiledAhead(fleet, compiler, shown.redactor)
        """The pillars that were compiled before."""
        self.texts: PillarTexts = shown.texts
        """Writes redacted pillars as JSON and YAML."""
        self.sources: PillarSources = ShownSources(
            compiler.project,
            shown.redactor,
            files,
            lambda minion: (self.latest(minion)[0], fleet.declared(minion)),
        )
        """The files of the pillar."""
        self.about: DescribesReport = ReportDescriber(
            compiler.project, fleet, shown.clean_name, lambda: self.diagnostics
        )
        """Describes the report."""
        self.committed: FilesOfCommit = CommittedFiles(compiler.project)
        """The files that are unmodified since the checked-out commit."""
        self.since: RevisionSource | NotCompared | None = None
        """The earlier fleet, if the report is compared with a revision."""
        self.history: SavedHistory | None = None
        """The builds before, if somebody keeps them."""
        self.on_pillar: Callable[[], None] = lambda: None
        """Called at the end of ``pillar``, to show progress."""

    def forget(self) -> None:
        """Empty the caches, because more secrets are known now."""
        self._latest = None
        if self._states is not None:
            self._states.forget()
        self.sources.forget()

    @property
    def minions(self) -> Sequence[str]:
        """The ids of all minions, in inventory order."""
        return self._fleet.minions

    @property
    def environments(self) -> "Sequence[EnvironmentSide]":
        """The environments that are compared."""
        return self._fleet.environments

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All diagnostics so far, worst first."""
        return self._shown.diagnostics

    def diagnostics_of(self, minion: str) -> Sequence[Diagnostic]:
        """Return the diagnostics of a minion, worst first, after it was compiled."""
        return self._shown.diagnostics_of(minion)

    def grains(self, minion: str) -> Mapping[str, Any]:
        """Return a minion's redacted grains as plain data."""
        return self._shown.grains(minion)

    def token(self, place: int) -> str:
        """Return the token of a secret."""
        return self._shown.token(place)

    def pillar(self, minion: str) -> RedactedPillar:
        """Return a minion's redacted pillar."""
        own_id = self._fleet.declared(minion).id
        if self._latest is not None and self._latest[0].minion != own_id:
            self.ahead.forget(self._latest[0].minion)
        compiled = self._compiler.compile(minion, self.ahead.pillar(own_id))
        pillar = self._shown.redact_with_faults(compiled, notes=True)
        self._latest = compiled, pillar
        self._access.ways_of(compiled)
        self.on_pillar()
        return pillar

    def latest(self, minion: str) -> tuple[CompiledPillar, RedactedPillar]:
        """Return a minion's pillar, from the cache if it was the last one."""
        if self._latest is None or self._latest[1].minion != minion:
            self.pillar(minion)
        assert self._latest is not None  # noqa: S101 (as ``pillar`` leaves it)
        return self._latest

    def pillar_in(self, environment: str, minion: str) -> RedactedPillar:
        """Return a minion's redacted pillar in an environment.

        If this is the declared environment, and the minion was the last one, its pillar is reused.
        """
        forced = self._fleet.forced(environment, minion)
        latest = self._latest
        is_latest = latest is not None and latest[1].minion == minion
        if latest is not None and is_latest and forced == self._fleet.declared(minion):
            return latest[1]
        number = self._fleet.environment_number(environment)
        return self._shown.redact_with_faults(self.ahead.pillar_in(number, forced))

    @property
    def has_states(self) -> bool:
        """Whether the fleet has states."""
        return self._compiler.has_states

    def states(self, minion: str, *, traced: bool = True) -> "MinionStates | None":
        """Return the states of a minion; None if no top file may name any."""
        if not self._compiler.may_have_states(minion):
            return None
        pillar = self.latest(minion)[0]
        states = self._compiler.compile_states(pillar, self.ahead.states(pillar.minion))
        shown = self._shown.redact_with_faults(states)
        if self._states is None:
            from pillarbook.session.shown_states import ShownStates  # noqa: PLC0415 (for pages only)

            self._states = ShownStates(self._compiler.project, self._shown.redactor)
        return self._states.of(states, shown, self._fleet.declared(minion), traced=traced)

    def ways(self, minion: str, origin: RedactedOrigin) -> "tuple[AccessPath, ...]":
        """Return the access paths by which a minion gets a value with this last origin."""
        known = self._access.latest(self._fleet.declared(minion).id)
        ways = known or self._access.ways_of(self._compiler.compile(minion))
        return ways.find(origin)

    def ages(self, places: Iterable[tuple[str, int]]) -> "dict[tuple[str, int], LineAge]":
        """Return when the lines of values last changed, for files in repositories."""
        return self._access.ages(places)
