"""The data that the pages of a report are written from, one minion after another."""

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
    """Compiles and redacts what a page asks for; implements ``report.ReportSource``."""

    def __init__(
        self,
        site_name: str,
        fleet: Fleet,
        compiler: FleetCompiler,
        shown: ShownFleet,
        access: FleetAccess,
        files: "PillarFiles",
    ) -> None:
        self._site_name = site_name
        self._fleet = fleet
        self._compiler = compiler
        self._shown = shown
        self._access = access
        self._states: ShownStates | None = None
        self._latest: tuple[CompiledPillar, RedactedPillar] | None = None
        self.ahead = CompiledAhead(fleet, compiler)
        """What is compiled already."""
        self.texts: PillarTexts = shown.texts
        """Writes redacted pillars as JSON and YAML."""
        self.sources: PillarSources = ShownSources(
            compiler.project,
            shown.redactor,
            files,
            lambda minion: (self.latest(minion)[0], fleet.declared(minion)),
        )
        """The files of the pillar."""
        self.about: DescribesReport = ReportDescriber(compiler.project, fleet, shown.clean_name)
        """Tells what the report is of."""
        self.committed: FilesOfCommit = CommittedFiles(compiler.project)
        """The files that are as the commit has them that is checked out."""
        self.since: RevisionSource | NotCompared | None = None
        """The fleet as it was, if the report is compared with that."""
        self.on_pillar: Callable[[], None] = lambda: None
        """Called when ``pillar`` has done its work, to show progress."""

    def forget(self) -> None:
        """Drop what was made with the secrets that were known until now."""
        self._latest = None
        if self._states is not None:
            self._states.forget()
        self.sources.forget()

    @property
    def site_name(self) -> str:
        """The name of the report."""
        return self._shown.clean_name(self._site_name)

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
        """Return the diagnostics that concern a minion, worst first, once it was compiled."""
        return self._shown.diagnostics_of(minion)

    def grains(self, minion: str) -> Mapping[str, Any]:
        """Return a minion's grains, redacted, as plain data."""
        return self._shown.grains(minion)

    def token(self, place: int) -> str:
        """Return the token of a secret."""
        return self._shown.token(place)

    def pillar(self, minion: str) -> RedactedPillar:
        """Return what a minion gets."""
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
        """Return what a minion gets, without a compile if its pillar was the last one asked for."""
        if self._latest is None or self._latest[1].minion != minion:
            self.pillar(minion)
        assert self._latest is not None  # noqa: S101 (as ``pillar`` leaves it)
        return self._latest

    def pillar_in(self, environment: str, minion: str) -> RedactedPillar:
        """Return what a minion would get in an environment.

        If that is what it is declared with, and its pillar was the last one asked for, that pillar
        is given again.
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

    def states(self, minion: str) -> "MinionStates | None":
        """Return the states of a minion; None if no top file could name any."""
        if not self._compiler.may_have_states(minion):
            return None
        pillar = self.latest(minion)[0]
        states = self._compiler.compile_states(pillar, self.ahead.states(pillar.minion))
        shown = self._shown.redact_with_faults(states)
        if self._states is None:
            from pillarbook.session.shown_states import ShownStates  # noqa: PLC0415 (for pages only)

            self._states = ShownStates(self._compiler.project, self._shown.redactor)
        return self._states.of(states, shown, self._fleet.declared(minion))

    def ways(self, minion: str, origin: RedactedOrigin) -> "tuple[AccessPath, ...]":
        """Return the access paths by which a minion gets a value with this last origin."""
        known = self._access.latest(self._fleet.declared(minion).id)
        ways = known or self._access.ways_of(self._compiler.compile(minion))
        return ways.find(origin)

    def ages(self, places: Iterable[tuple[str, int]]) -> "dict[tuple[str, int], LineAge]":
        """Return when the lines of values last changed; nothing of files in no repository."""
        return self._access.ages(places)
