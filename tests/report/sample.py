"""A small book made by hand: what the pages are tested with."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.compare.pillars import find_leaves
from tests.report.sample_sources import SampleAbout, SampleFiles, SampleSources
from tests.support.redacted import make_pillar

from pillarbook.compare.acknowledgements import Acknowledgements
from pillarbook.compare.atoms import Cited
from pillarbook.compare.diff import Diff
from pillarbook.compare.ignore import Ignore
from pillarbook.compare.pillars import Comparer
from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.model import KeyPath, Position
from pillarbook.redact.redacted_pillar import (
    Redacted,
    RedactedLeaf,
    RedactedOrigin,
    RedactedPillar,
    RedactedTarget,
)
from pillarbook.redact.redacted_states import MinionStates
from pillarbook.redact.secret_store import SecretStore
from pillarbook.redact.shown_access import AccessPath
from pillarbook.report.fleet_summary import FleetSummary
from pillarbook.report.gatherers import WrittenMinion
from pillarbook.report.history_reader import SavedHistory
from pillarbook.report.minion import MinionPage, MinionSummary
from pillarbook.report.page_parts import PartedPage
from pillarbook.report.sides import MinionSides, gather_sides
from pillarbook.report.slug import slug
from pillarbook.report.source import (
    DescribesReport,
    EnvironmentSide,
    FilesOfCommit,
    NotCompared,
    PillarSources,
    RevisionSource,
)
from pillarbook.roots.history import LineAge

KEY_TEXT = """\
-----BEGIN CERTIFICATE-----
MIIBszCCAVmgAwIBAgIUQm9va3MgYXJlIHdlbGNvbWUwCgYIKoZIzj0EAwIwEjEQ
MA4GA1UEAwwHZXhhbXBsZTAeFw0yMDAxMDEwMDAwMDBaFw0zMDAxMDEwMDAwMDBa
-----END CERTIFICATE-----
"""


@dataclass
class SampleBook:
    """A book whose pillars are given."""

    pillars: Mapping[str, RedactedPillar]
    faults: tuple[Diagnostic, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    site_name: str = "Sample"
    since: RevisionSource | NotCompared | None = None
    environments: Sequence[EnvironmentSide] = ()
    elsewhere: Mapping[tuple[str, str], RedactedPillar] = field(default_factory=dict)
    """Pillars by environment and minion, where they differ from the declared one."""
    roads: Mapping[str | None, tuple[AccessPath, ...]] = field(default_factory=dict)
    """How values come to minions, by their SLS."""
    line_ages: Mapping[tuple[str, int], LineAge] = field(default_factory=dict)
    """When values last changed."""
    asked: list[str] = field(default_factory=list)
    """The ids of minions in the order in which their pillars were asked for."""
    asked_in: list[tuple[str, str]] = field(default_factory=list)
    """The same for pillars in environments."""
    lowstates: Mapping[str, MinionStates] = field(default_factory=dict)
    """The states of minions; none where the fleet has none."""
    sources: PillarSources = field(default_factory=SampleSources)
    about: DescribesReport = field(default_factory=SampleAbout)
    """The files of the pillar."""
    committed: FilesOfCommit = field(default_factory=SampleFiles)
    """Those that are as the commit has them."""
    history: SavedHistory | None = None
    closed: bool = False
    store: SecretStore = field(default_factory=SecretStore)

    @property
    def minions(self) -> Sequence[str]:
        return list(self.pillars)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return self.faults

    def pillar(self, minion: str) -> RedactedPillar:
        self.asked.append(minion)
        return self.pillars[minion]

    def pillar_in(self, environment: str, minion: str) -> RedactedPillar:
        self.asked_in.append((environment, minion))
        return self.elsewhere.get((environment, minion), self.pillars[minion])

    @property
    def has_states(self) -> bool:
        return bool(self.lowstates)

    def states(self, minion: str, *, traced: bool = True) -> MinionStates | None:  # noqa: ARG002 (a sample has them all)
        assert self.asked[-1] == minion
        return self.lowstates.get(minion)

    def learn(self, ranks: Sequence[int]) -> None:
        """Do nothing, as a sample is compiled."""

    @property
    def report(self) -> "SampleBook":
        """What the pages are written from: the sample is its own report, and its own texts."""
        return self

    @property
    def texts(self) -> "SampleBook":
        return self

    def as_json(self, pillar: RedactedPillar) -> str:
        return json.dumps(pillar.data, default=str)

    def as_yaml(self, pillar: RedactedPillar) -> str:
        return json.dumps(pillar.data, default=str, indent=1) + "\n"

    def grains(self, minion: str) -> Mapping[str, Any]:
        return {"id": minion, **self.facts}

    def diagnostics_of(self, minion: str) -> Sequence[Diagnostic]:
        return [fault for fault in self.faults if minion in fault.minions]

    def token(self, place: int) -> str:
        return f"{place:04x}-token"

    def know(self, earlier: SecretStore) -> None:
        for place, value in enumerate(earlier.clear_values()):
            self.store.add(value, earlier.path_of(place))

    def compile_fleet(self, write: Callable[[Sequence[int]], Any]) -> Sequence[Any]:  # noqa: ARG002 (this is one process)
        return ()

    def ways(self, minion: str, origin: RedactedOrigin) -> tuple[AccessPath, ...]:
        assert self.asked[-1] == minion
        return self.roads.get(origin.sls, ())

    def ages(self, places: Iterable[tuple[str, int]]) -> Mapping[tuple[str, int], LineAge]:
        return {place: self.line_ages[place] for place in places if place in self.line_ages}

    def close(self) -> None:
        self.closed = True


@dataclass
class SampleSince:
    """A fleet as it was, given; what it lacks is as the book has it."""

    session: SampleBook
    before: Mapping[str, RedactedPillar | None] = field(default_factory=dict)
    labels: tuple[str, str] = ("a1b2c3d (main)", "working tree")
    diagnostics: tuple[Diagnostic, ...] = ()
    because: Mapping[KeyPath, Cited] = field(default_factory=dict)
    """The line that a change is because of, by its path."""
    ignore: Ignore = field(default_factory=lambda: Ignore(()))
    committed: FilesOfCommit = field(default_factory=SampleFiles)
    acknowledgements: Acknowledgements = field(default_factory=Acknowledgements)

    @property
    def gone(self) -> Sequence[str]:
        return [minion for minion in self.before if minion not in self.session.pillars]

    def grains(self, minion: str) -> Mapping[str, Any]:
        return {"id": minion, **self.session.facts}

    def pillars(self, minion: str) -> tuple[RedactedPillar | None, RedactedPillar | None]:
        now = self.session.pillars.get(minion)
        return self.before.get(minion, now), now

    def last_change(self, file: str) -> LineAge | None:  # noqa: ARG002 (a sample has no commits)
        return None

    def explain(self, diff: Diff) -> Diff:
        atoms = [
            replace(atom, because=(self.because[atom.change.path],), proven=True)
            if atom.change.path in self.because
            else atom
            for atom in diff.atoms
        ]
        return replace(diff, atoms=tuple(atoms))


BESIDE = ("because", "diagnostics", "ignore")
"""What a fleet as it was has besides pillars."""


def changed_session(
    before: Mapping[str, RedactedPillar | None], after: Mapping[str, RedactedPillar], **fields: Any
) -> SampleBook:
    """Return a book of some pillars that were others before; ``because`` and the like go along."""
    told = {name: fields.pop(name) for name in BESIDE if name in fields}
    session = SampleBook(after, **fields)
    session.since = SampleSince(session, before, **told)
    return session


def origin(value: Any, file: str = "pillar/base/app.sls", line: int | None = 3) -> RedactedOrigin:
    return RedactedOrigin(file, line, file.rpartition("/")[2].removesuffix(".sls"), "base", value)


def leaf(path: KeyPath, value: Any, *overridden: RedactedOrigin) -> RedactedLeaf:
    return RedactedLeaf(path, value, (*overridden, origin(value)))


def filled(
    minion: str, data: Any, file: str = "pillar/base/app.sls", **changes: Any
) -> RedactedPillar:
    """Return a pillar of plain data, all of it out of one file, a line a value."""
    leaves = tuple(
        RedactedLeaf(path, value, (origin(value, file, line),))
        for line, (path, value) in enumerate(find_leaves(data), 1)
    )
    return make_pillar(minion, *leaves, data=data, **changes)


def sides_of(environments: Sequence[EnvironmentSide], *pillars: RedactedPillar) -> MinionSides:
    """Return a minion's pillars in each environment, compared; as declared it is in the first."""
    session = SampleBook(
        {pillars[0].minion: pillars[0]},
        environments=environments,
        elsewhere={
            (side.name, one.minion): one for side, one in zip(environments, pillars, strict=False)
        },
    )
    return gather_sides(session, pillars[0].minion, Comparer())


def fill_fleet(minions: Iterable[tuple[MinionSides, Mapping[str, Any]]]) -> FleetSummary:
    """Return a fleet of minions, given with their grains."""
    fleet: FleetSummary | None = None
    for sides, grains in minions:
        fleet = fleet or FleetSummary([side for side, _ in sides.sides])
        declared = sides.declared
        values = [one for one in declared.leaves if one.path]
        summary = MinionSummary(
            minion=declared.minion,
            slug=slug(declared.minion),
            outcome=declared.outcome,
            values=len(values),
            secrets=tuple(one.value for one in values if isinstance(one.value, Redacted)),
            overridden=sum(len(one.origins) > 1 for one in values),
            diagnostics=0,
            unknown=declared.unknown,
        )
        page = MinionPage(PartedPage(""), "", summary, (), ())
        written = WrittenMinion(len(fleet.minions), declared.minion, sides, None, page, grains)
        fleet.add(written)
    return fleet or FleetSummary(())


def make_session() -> SampleBook:
    """Return a book with every outcome, secrets, overrides, lists and texts of several lines."""
    common = (
        leaf(("ntp", "servers", 0), "ntp1.example.com"),
        leaf(("ntp", "servers", 1), "ntp2.example.com"),
        leaf(("ntp", "iburst"), True),
    )
    web = (
        leaf(
            ("nginx", "workers"),
            8,
            origin(2, "pillar/base/defaults/web.sls", 4),
            origin("auto", "pillar/staging/site/frankfurt/web.sls", 117),
        ),
        leaf(("nginx", "sites", "shop.example.com", "listen"), "0.0.0.0:443"),
        leaf(("nginx", "sites", "shop.example.com", "certificate"), KEY_TEXT),
        leaf(("nginx", "sites", "shop.example.com", "upstreams"), []),
        leaf(("nginx", "port"), "8080"),
    )
    database = (
        leaf(("postgres", "host"), "db1.example.com"),
        leaf(
            ("postgres", "password"),
            Redacted("gpg renderer", 7),
            origin(Redacted("key names a password", 9), "pillar/base/database.sls", 12),
        ),
        leaf(("postgres", "options"), {}),
    )
    targets = (
        RedactedTarget("*", "glob", "base", "pillar/base/top.sls", 2, True, ("common", "ntp")),
        RedactedTarget(
            "G@roles:web and not E@^old-",
            "compound",
            "base",
            "pillar/base/top.sls",
            5,
            True,
            ("nginx",),
        ),
        RedactedTarget("roles:db", "grain", "base", "pillar/base/top.sls", 9, False, ("postgres",)),
    )
    return SampleBook(
        {
            "web1.example.com": make_pillar(
                "web1.example.com",
                *common,
                leaf(("motd",), "Welcome to production"),
                *web,
                *database,
                targets=targets,
            ),
            "Web2": make_pillar("Web2", *common, *web, targets=targets, pillarenv="staging"),
            "db1": make_pillar(
                "db1",
                *common,
                *database,
                outcome="partial",
                errors=("Specified SLS 'private.keys' in environment 'base' is not available",),
                targets=targets,
            ),
            "old1": make_pillar(
                "old1", outcome="failed", raises="Pillar render error: \n  Tab at line 3"
            ),
            "spare": make_pillar("spare", outcome="empty", targets=targets[2:]),
        },
        faults=(
            Diagnostic(
                code="missing-sls",
                severity=Severity.ERROR,
                message="The SLS private.keys is in no root of the environment base.",
                position=Position("pillar/base/top.sls", 10),
                minions=("db1",),
                help="Add pillar/base/private/keys.sls, or declare where it lies in paths.",
            ),
            Diagnostic(
                code="missing-grain",
                severity=Severity.WARNING,
                message="The grain datacenter is read and declared for no minion.",
                position=Position("pillar/base/nginx.sls", 1),
                path=("nginx", "workers"),
                minions=("web1.example.com", "Web2", "db1", "spare"),
                related=(Position("pillar/base/ntp.sls", 3),),
            ),
        ),
        facts={
            "os": "Debian",
            "roles": ["web", "edge"],
            "mem_total": 16005,
            "ip4_interfaces": {"lo": []},
        },
    )
