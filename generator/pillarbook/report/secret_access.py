"""Who can read what: the secrets of a fleet, and the minions that get each.

A secret is a key path with a value. Minions leave behind what they get, one after the other; those
that get the same secrets in the same ways are one bucket, so that a large fleet takes little room.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from pillarbook.model import KeyPath, Position
from pillarbook.model.shared_results import SharedResults
from pillarbook.redact.redacted_pillar import Redacted, RedactedLeaf, secret_of
from pillarbook.redact.shown_access import AccessPath, Forged, GrainReads, WayKind
from pillarbook.report.gatherers import WrittenMinion
from pillarbook.report.key_patterns import typed_path
from pillarbook.report.row_ids import ListPositions

# Protects memory. Numbers of sources and ways are not let go, so a leaf that comes again gets the
# same number.
MAX_KEPT = 100_000
"""Leaves that are remembered by their identity before all are let go."""
MAX_NAMES = 3
"""Targets of one line that are named; a template may write another one for each minion."""
Get: TypeAlias = tuple[int, int]
"""The number of a secret's source, and that of the ways by which it comes from there."""
FoundSecret: TypeAlias = tuple[KeyPath, ListPositions, Redacted]
"""The keys, which of them are positions in a list, and what stands for the value."""


@dataclass(frozen=True, slots=True)
class Source:
    """A place that gives a secret."""

    secret: int
    """The secret's number."""
    file: str
    line: int | None
    """The line that the value begins in."""
    sls: str | None
    """The SLS, as in an origin."""
    saltenv: str | None
    reason: str
    """Why the value is secret there."""


@dataclass(frozen=True, slots=True)
class Route:
    """A way without the words of its target, which a template may write anew for each minion."""

    kind: WayKind
    """As a way has it."""
    name: str
    """The external pillar's name; empty for a target."""
    match: str
    """The target's matcher."""
    saltenv: str
    """The target's environment."""
    position: Position | None
    """The target's file and line."""
    sls: tuple[str, ...]
    """The SLS files on the way."""
    forged: Forged | None
    """How minions could have the target match."""


@dataclass(frozen=True, slots=True)
class SecretWay:
    """A way by which some minions get a secret."""

    route: Route
    targets: tuple[str, ...]
    """The first few words of its target."""
    reads: tuple[GrainReads, ...]
    """What the files on the way ask of grains, for any of the minions."""
    minions: int
    """To how many minions it leads."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A key path with a value, and who gets it."""

    number: int
    """Its place among all, in the order in which minions got them."""
    path: KeyPath
    positions: ListPositions
    """Which places of the path are positions in a list."""
    secret_id: int
    """Asks for its token."""
    sources: tuple[tuple[Source, int], ...]
    """The places that give it, each to how many minions."""
    ways: tuple[SecretWay, ...]
    """The ways by which they get it."""
    minions: int
    """How many get it."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is secret."""
        return tuple(dict.fromkeys(source.reason for source, _ in self.sources))

    @property
    def is_forgeable(self) -> bool:
        """Whether minions could get it by setting grains."""
        return any(way.route.forged for way in self.ways)


@dataclass(frozen=True, slots=True)
class ReaderGroup:
    """Minions that read the same secrets."""

    secrets: tuple[int, ...]
    """The numbers of the secrets, in order."""
    minions: tuple[str, ...]
    """The minions, in inventory order."""


@dataclass(frozen=True, slots=True)
class FleetSecrets:
    """All secrets, and all who read any."""

    secrets: tuple[Secret, ...]
    readers: tuple[ReaderGroup, ...]
    """Groups of minions, the largest first; each minion that reads any is in one."""


GivenAccess: TypeAlias = tuple[
    Sequence[FoundSecret],
    Sequence[Source],
    Sequence[tuple[AccessPath, ...]],
    Mapping[tuple[Get, ...], Sequence[int]],
]
"""Secrets, the places that give them, the ways by which they come, and who gets the same."""


class Access:
    """Gathers what minions can read; a ``Gatherer``."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._found: list[FoundSecret] = []
        self._sources: dict[Source, int] = {}
        self._of_leaf: SharedResults[int] = SharedResults(MAX_KEPT)
        self._ways: dict[tuple[AccessPath, ...], int] = {}
        self._of_ways: SharedResults[int] = SharedResults(MAX_KEPT)
        self._buckets: dict[tuple[Get, ...], list[int]] = {}

    def add(self, written: WrittenMinion) -> None:
        """Take a minion with the secrets it gets, and the ways by which it gets them."""
        gets = ((row.leaf, row.positions, ways) for row, ways in written.page.secrets)
        self.add_secrets(written.rank, gets)

    def add_secrets(
        self, rank: int, gets: Iterable[tuple[RedactedLeaf, ListPositions, tuple[AccessPath, ...]]]
    ) -> None:
        """Take the secrets that a minion gets, and the ways by which it gets them."""
        bucket = tuple(
            (
                self._of_leaf.find(partial(self._take, leaf, positions), leaf, also=positions),
                self._of_ways.find(partial(self._number_of, ways), ways),
            )
            for leaf, positions, ways in gets
        )
        if bucket:
            self._buckets.setdefault(bucket, []).append(rank)

    def give(self) -> GivenAccess:
        """Return what was gathered, for another process."""
        return tuple(self._found), tuple(self._sources), tuple(self._ways), self._buckets

    def take(self, given: GivenAccess) -> None:
        """Take what was gathered in another process."""
        found, places, all_ways, buckets = given
        secrets = [self._number_secret(one) for one in found]
        sources = [self._number_source(replace(one, secret=secrets[one.secret])) for one in places]
        ways = [self._number_of(one) for one in all_ways]
        for bucket, ranks in buckets.items():
            here = tuple((sources[source], ways[way]) for source, way in bucket)
            self._buckets.setdefault(here, []).extend(ranks)

    def _take(self, leaf: RedactedLeaf, positions: ListPositions) -> int:
        value = secret_of(leaf.value)
        assert value is not None  # noqa: S101 (nothing else is handed in)
        secret = self._number_secret((leaf.path, positions, value))
        last = leaf.origins[-1] if leaf.origins else None
        return self._number_source(
            Source(secret, "", None, None, None, value.reason)
            if last is None
            else Source(secret, last.file, last.line, last.sls, last.saltenv, value.reason)
        )

    def _number_secret(self, found: FoundSecret) -> int:
        path, positions, value = found
        key = (typed_path(path), positions, value.secret_id)
        number = self._numbers.setdefault(key, len(self._numbers))
        if number == len(self._found):
            self._found.append(found)
        return number

    def _number_source(self, source: Source) -> int:
        return self._sources.setdefault(source, len(self._sources))

    def _number_of(self, ways: tuple[AccessPath, ...]) -> int:
        return self._ways.setdefault(ways, len(self._ways))

    def finish(self, name: Callable[[Iterable[int]], Sequence[str]]) -> FleetSecrets:
        """Return all of it, once every minion was taken.

        ``name`` returns the ids of minions by their places in the inventory.
        """
        buckets = sorted(((min(ranks), bucket, ranks) for bucket, ranks in self._buckets.items()))
        sources, all_ways = list(self._sources), list(self._ways)
        routes = [[(_route_of(way), way) for way in ways] for ways in all_ways]
        # Secrets are numbered in the order in which minions got them.
        tallies: dict[int, _Tally] = {}
        readers: dict[tuple[int, ...], list[int]] = {}
        for _, bucket, ranks in buckets:
            for source, ways in bucket:
                secret = sources[source].secret
                tally = tallies.setdefault(secret, _Tally(len(tallies)))
                tally.add(sources[source], routes[ways], len(ranks))
            numbers = {tallies[sources[source].secret].number for source, _ in bucket}
            readers.setdefault(tuple(sorted(numbers)), []).extend(ranks)
        return FleetSecrets(
            secrets=tuple(tally.finish(*self._found[secret]) for secret, tally in tallies.items()),
            readers=sort_readers((secrets, name(ranks)) for secrets, ranks in readers.items()),
        )


def sort_readers(
    readers: Iterable[tuple[tuple[int, ...], Sequence[str]]],
) -> tuple[ReaderGroup, ...]:
    """Return groups of minions, the largest first; equal ones as they come."""
    found = (ReaderGroup(secrets, tuple(minions)) for secrets, minions in readers)
    return tuple(sorted(found, key=lambda one: -len(one.minions)))


@dataclass(slots=True)
class _Tally:
    """Counts what is said of one secret."""

    number: int
    sources: Counter[Source] = field(default_factory=Counter)
    routes: Counter[Route] = field(default_factory=Counter)
    names: dict[Route, dict[str, None]] = field(default_factory=dict)
    reads: dict[Route, dict[str, set[str]]] = field(default_factory=dict)

    def add(self, source: Source, ways: Iterable[tuple[Route, AccessPath]], minions: int) -> None:
        self.sources[source] += minions
        for route, way in ways:
            self.routes[route] += minions
            names = self.names.setdefault(route, {})
            if len(names) < MAX_NAMES:
                names[way.name] = None
            if way.reads:
                reads = self.reads.setdefault(route, {})
                for one in way.reads:
                    reads.setdefault(one.file, set()).update(one.grains)

    def finish(self, path: KeyPath, positions: ListPositions, value: Redacted) -> Secret:
        ways = (
            SecretWay(
                route,
                tuple(self.names[route]) if route.kind == "target" else (),
                tuple(
                    GrainReads(file, tuple(sorted(grains)))
                    for file, grains in self.reads.get(route, {}).items()
                ),
                minions,
            )
            for route, minions in self.routes.items()
        )
        return Secret(
            number=self.number,
            path=path,
            positions=positions,
            secret_id=value.secret_id,
            sources=tuple(self.sources.items()),
            ways=tuple(ways),
            minions=self.sources.total(),
        )


def _route_of(way: AccessPath) -> Route:
    name = "" if way.kind == "target" else way.name
    return Route(way.kind, name, way.match, way.saltenv, way.position, way.sls, way.forged)
