"""The data for the pages of a report, one minion at a time."""

import datetime as dt
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pillarbook.access.fleet_access import FleetAccess
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Project
from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.inventory.declared_clock import read_epoch
from pillarbook.inventory.minions import Minion
from pillarbook.inventory.root_folders import ROOT_KINDS, resolve_roots
from pillarbook.redact import RedactedOrigin, RedactedPillar, Redactor
from pillarbook.roots.git_files import RepositoryError
from pillarbook.session.committed_files import CommittedFiles, find_head_commit
from pillarbook.session.fleet import Fleet
from pillarbook.session.fleet_compiler import FleetCompiler
from pillarbook.session.shown_fleet import ShownFleet
from pillarbook.session.shown_sources import ShownSources

if TYPE_CHECKING:
    from pillarbook.highstate.compiled_states import CompiledStates
    from pillarbook.redact.redacted_states import MinionStates
    from pillarbook.redact.shown_access import AccessPath
    from pillarbook.report.about_report import AboutReport, ReportCommit
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


_BRANCH = "refs/heads/"
_TIME = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(eq=False)
class ReportDescriber:
    """Describes the report."""

    _project: Project
    _fleet: Fleet
    _clean: Callable[[str], str]
    _list_diagnostics: Callable[[], Iterable[Diagnostic]]
    _found: "AboutReport | None" = None

    def describe(self) -> "AboutReport":
        """Return commit, time and versions, as they were in the first call.

        Raises:
            EpochError: SOURCE_DATE_EPOCH is not a number.
        """
        from pillarbook.report.about_report import AboutReport  # noqa: PLC0415 (for pages only)

        if self._found is None:
            files = _list_files(self._project, self._fleet)
            commit = find_report_commit(self._project, files)
            if commit is not None and commit.branch is not None:
                commit = replace(commit, branch=self._clean(commit.branch))
            declared = read_epoch(os.environ)
            made = dt.datetime.now(dt.UTC) if declared is None else declared.time
            self._found = AboutReport(
                commit=commit,
                time=made.strftime(_TIME),
                inventory=tuple(map(self._clean, self._fleet.inventory)),
                guessed=len(self._fleet.guessed),
                not_trusted=sum(one.code == "needs-trust" for one in self._list_diagnostics()),
            )
        return self._found


def _list_files(project: Project, fleet: Fleet) -> Iterator[Path]:
    """Yield the files of pillar and states, and those of the master and the inventory."""
    options = project.options
    places = (*options.positions.values(), *options.places.values())
    declared = (fleet.declared(one).position for one in fleet.minions)
    yield from {options.top / place.file for place in (*places, *declared)}
    for kind in ROOT_KINDS:
        for roots in resolve_roots(options, kind).values():
            for root in roots:
                for folder, _, names in os.walk(root.path) if root.path else ():
                    yield from (Path(folder, name) for name in names)


def find_report_commit(project: Project, files: Iterable[Path]) -> "ReportCommit | None":
    """Return the checked-out commit; None outside of a repository, or if there is no commit."""
    from pillarbook.report.about_report import ReportCommit  # noqa: PLC0415 (for pages only)

    try:
        head = find_head_commit(project)
        if head is None:
            return None
        branch = head.repository.references.leads_to("HEAD") or ""
        made = dt.datetime.fromtimestamp(head.commit.seconds, dt.UTC)
        is_modified = any(head.find_modified(files))
    except (RepositoryError, OSError, ValueError, OverflowError):  # a damaged or hostile repository
        return None
    return ReportCommit(
        id=head.commit.id,
        branch=branch.removeprefix(_BRANCH) if branch.startswith(_BRANCH) else None,
        time=made.strftime(_TIME),
        is_modified=is_modified,
    )
