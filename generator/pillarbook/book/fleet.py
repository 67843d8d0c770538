"""The result of a run: every minion compiled once, seen through the door."""

import fnmatch
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from pillarbook.book.access.fleet_access import FleetAccess
from pillarbook.book.compiler import MinionCompiler, declare_secrets
from pillarbook.book.environments import ForcedEnvironment, unpinned
from pillarbook.book.findings import FleetFindings
from pillarbook.book.rules.ledger import Ledger
from pillarbook.book.shown import Shown, tell_found
from pillarbook.book.shown_states import ShownStates
from pillarbook.book.texts import PillarTexts
from pillarbook.book.through_door import take_through, with_faults
from pillarbook.book.watch import Watch
from pillarbook.compile.highstate.highstate import CompiledStates
from pillarbook.compile.pillar import CompiledPillar
from pillarbook.compile.project import Project
from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.minions import Minion
from pillarbook.redact import (
    Door,
    RedactedOrigin,
    RedactedPillar,
    Rules,
    SecretStore,
)
from pillarbook.redact.ways import Way
from pillarbook.roots.history import LineAge

if TYPE_CHECKING:
    from pillarbook.book.rules.fleet_rules import FleetRules
    from pillarbook.book.since import Since
    from pillarbook.redact.states import MinionStates
    from pillarbook.report.book import EnvironmentSide, NotCompared

LARGE_FLEET = 1000
"""Minions; a larger fleet is compiled as a whole only where all of it is asked for."""


class FleetBook:
    """A fleet's pillars, compiled when they are asked for; implements ``report.Book``.

    Args:
        site_name: The name of the report.
        minions: The fleet, in inventory order.
        project: What their compiles have in common.
        environments: What each minion is compiled with in turn, to be compared.
        door: Redacts what is shown.
        watch: Is told which minion is being compiled.
        fleet_rules: Look at each compiled pillar; None where nobody asks for what they find.
        ledger: Takes the diagnostics.
        found: What there was to say before the first compile.
        later: Gives what there is to say once files were read.
        close: Stops what the run started.
    """

    def __init__(  # noqa: PLR0913 (what a run consists of)
        self,
        *,
        site_name: str,
        minions: Sequence[Minion],
        project: Project,
        environments: Sequence[ForcedEnvironment],
        door: Door,
        watch: Watch,
        fleet_rules: "FleetRules | None",
        ledger: Ledger,
        found: Sequence[Diagnostic],
        later: Callable[[], Iterable[Diagnostic]],
        close: Callable[[], None],
    ) -> None:
        self._site_name = site_name
        self._project = project
        self._latest: tuple[CompiledPillar, RedactedPillar] | None = None
        self._door = door
        self._rules, self._store = door.rules, door.store
        self._ids = Shown("the minion id", self._door.names, {one.id: one for one in minions})
        self._minions = self._ids.by_name
        compared = {one.name: one for one in environments}
        self._pillarenvs = Shown("the environment", self._door.names, compared)
        self._environments = self._pillarenvs.by_name
        declare_secrets(door, minions)
        self._compiler = MinionCompiler(project, door.rules, door.store, watch)
        self._access = FleetAccess(project, self._door, self._inventory_of)
        self._close = close
        self._states = ShownStates(project, self._door)
        self._findings = FleetFindings(self._door, ledger, fleet_rules, later)
        self.on_pillar: Callable[[], None] = lambda: None
        """Called when ``pillar`` has done its work, to show progress."""
        self.since: Since | NotCompared | None = None
        """The fleet as it was, where the report is compared with that."""
        self.beside: FleetBook | None = None
        """The book of that fleet, which is closed with this one."""
        self._texts = PillarTexts(self._store.token)
        self._findings.add(found)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop what the run started and remove what it wrote for itself."""
        if self.beside is not None:
            self.beside.close()
        self._close()

    @property
    def site_name(self) -> str:
        """The name of the report."""
        return self._door.names.clean(self._site_name)

    @property
    def minions(self) -> Sequence[str]:
        """The ids of all minions, in inventory order."""
        return tuple(self._minions)

    def has(self, minion: str) -> bool:
        """Say whether there is a minion with an id, as it is shown."""
        return minion in self._minions

    def settle(self, compiled: Iterable[CompiledPillar] = ()) -> None:
        """Look for the secrets of the whole fleet in whatever is redacted from here on.

        Until then a minion's own secrets are looked for in its own pillar, and names stay. Minions
        whose pillar is not given are compiled for their secrets: what is plain text on one of
        them may be the password of another. Not so in a large fleet, where somebody who asks for
        one minion would wait for all. ``compiled`` are pillars that are there already.
        """
        known = set()
        for one in compiled:
            self.learn(one)
            known.add(one.minion)
        if self._rules is not None and len(self._minions) <= LARGE_FLEET:
            for minion in self._minions.values():
                if minion.id not in known:
                    self.learn(self.compile_as(minion))
            self._learn_unpinned()
        self._settle()

    def _learn_unpinned(self) -> None:
        """Take the secrets of the environments that no minion is compiled with."""
        for minion in unpinned(tuple(self._minions.values()), self._project):
            compiled = self._compiler.compile_plainly(minion, self._project)
            self.learn(compiled, for_show=False)

    def settle_with(self, compiled: Iterable[CompiledPillar]) -> None:
        """Do the same, with the secrets of no other pillars than those given; few are shown."""
        for one in compiled:
            self.learn(one, for_show=False)
        self._settle()

    def learn(self, compiled: CompiledPillar, *, for_show: bool = True) -> None:
        """Take a pillar's secrets; it takes less for one that is not to be redacted later."""
        grains = self._ids.declared(compiled.minion).grains
        self._door.learn(compiled, grains, for_show=for_show)

    def know(self, earlier: SecretStore) -> None:
        """Count the secrets of an earlier run over the same fleet from the start."""
        self._store.know(earlier)
        if self.beside is not None:
            self.beside.settle_with(())
        self._settle()

    def look_at_all(self, step: Callable[[], None] = lambda: None) -> None:
        """Compile every minion, and its states, for what there is to say; secrets are settled then.

        ``step`` is called after each, to show progress.
        """
        for compiled in self.compile_all(self.minions, step):
            self.learn(compiled)
            states = self.states_of(compiled)
            if states is not None:
                self.learn(states, for_show=False)
        self._learn_unpinned()
        if self._settle() or self._store.has_opened:
            for compiled in self.compile_all(self.minions):
                self.redact(compiled)

    def _settle(self) -> bool:
        self._latest = None
        self._access.forget(names=(changed := self._door.settle()))
        self._states.forget()
        self._ids.settle()
        self._pillarenvs.settle()
        return changed

    def shown_id(self, minion: str) -> str:
        """Return how a minion's id is shown, which differs where it holds a secret."""
        return self._ids.shown(minion)

    def clean_name(self, name: str) -> str:
        """Return a name, such as a path, without the secrets that are known."""
        return self._door.names.clean(name)

    def choose(self, globs: Sequence[str]) -> list[str]:
        """Return the ids that match one of the globs, all of them without a glob."""
        return [
            minion
            for minion, declared in self._minions.items()
            if any(fnmatch.fnmatchcase(declared.id, glob) for glob in globs or "*")
        ]

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All diagnostics so far, worst first."""
        return self._findings.all(tell_found(self._door))

    def diagnostics_of(self, minion: str) -> Sequence[Diagnostic]:
        """Return the diagnostics that concern a minion, worst first, once it was compiled."""
        return self._findings.of(self._minions[minion].id)

    def grains(self, minion: str) -> Mapping[str, Any]:
        """Return a minion's grains, redacted, as plain data."""
        return self._door.redact_grains(self._minions[minion].grains)

    def token(self, place: int) -> str:
        """Return the token of a secret."""
        return self._store.token(place)

    def compile(self, minion: str) -> CompiledPillar:
        """Compile one minion; what it has to say joins the book's diagnostics."""
        declared = self._minions[minion]
        compiled = self.compile_as(declared)
        if not self._findings.knows(declared.id):
            self._note(compiled)
        return compiled

    @property
    def findings(self) -> FleetFindings:
        """What there is to say, as it was gathered."""
        return self._findings

    def _note(self, compiled: CompiledPillar) -> None:
        self._findings.note(compiled, lambda: self._access.secrets_of(compiled))

    def _inventory_of(self, minion: str) -> str:
        return self._ids.declared(minion).position.file

    def compile_all(
        self, minions: Sequence[str], step: Callable[[], None] = lambda: None
    ) -> Iterator[CompiledPillar]:
        """Yield the compiled pillar of each minion; ``step`` is called after each."""
        for minion in minions:
            yield self.compile(minion)
            step()

    def compile_states(self, pillar: CompiledPillar) -> CompiledStates:
        """Compile the states of a minion whose pillar is given; what they have to say is noted."""
        states = self._compiler.compile_states(self._ids.declared(pillar.minion), pillar)
        self._findings.note_more(states)
        return states

    def states_of(self, pillar: CompiledPillar) -> CompiledStates | None:
        """Compile a minion's states; None without a top file of states, or without a pillar."""
        declared = self._ids.declared(pillar.minion)
        if pillar.raises is not None or not self._compiler.has_states(declared):
            return None
        return self.compile_states(pillar)

    def redact(self, compiled: CompiledPillar, *, notes: bool = True) -> RedactedPillar:
        """Take a compiled pillar through the door; ``notes``: whether to tell a failure here."""
        minion = self._ids.declared(compiled.minion)
        redacted, failed = take_through(self._door, compiled, minion, notes=notes)
        if failed is not None and notes:
            self._note(failed)
        return redacted

    def tagged(self, pillar: RedactedPillar) -> Any:
        """Return what ``compile`` prints of a pillar, ready for ``json.dumps``."""
        return self._texts.tagged(pillar)

    def written(self, pillar: RedactedPillar) -> str:
        """Return a pillar as one line of JSON, as ``compile`` prints it."""
        return self._texts.as_json(pillar)

    def written_as_yaml(self, pillar: RedactedPillar) -> str:
        """Return a pillar as YAML."""
        return self._texts.as_yaml(pillar)

    def pillar(self, minion: str) -> RedactedPillar:
        """Return what a minion gets."""
        compiled = self.compile(minion)
        pillar = with_faults(self.redact(compiled), compiled, self._door)
        self._latest = compiled, pillar
        self._access.ways_of(compiled)
        self.on_pillar()
        return pillar

    @cached_property
    def has_states(self) -> bool:
        """Whether the fleet has states: a top file in the ``file_roots`` of any minion."""
        return any(map(self._compiler.has_states, self._minions.values()))

    def states(self, minion: str) -> "MinionStates | None":
        """Return the states of a minion; None where no top file could name any."""
        declared = self._minions[minion]
        if not self._compiler.has_states(declared):
            return None
        states = self.compile_states(self.latest(minion)[0])
        return self._states.of(states, self.shown_pillar(states), declared)

    def ways(self, minion: str, origin: RedactedOrigin) -> tuple[Way, ...]:
        """Return how a minion came by a value that has this last origin."""
        known = self._access.latest(self._minions[minion].id)
        ways = known or self._access.ways_of(self.compile(minion))
        return ways.find(origin)

    def ages(self, places: Iterable[tuple[str, int]]) -> dict[tuple[str, int], LineAge]:
        """Return when the lines of values last changed; nothing of files in no repository."""
        return self._access.ages(places)

    def declared(self, minion: str) -> Minion:
        """Return a minion as the inventory has it."""
        return self._minions[minion]

    def compile_as(
        self, minion: Minion, project: Project | None = None, *, briefly: bool = False
    ) -> CompiledPillar:
        """Compile a minion that is declared otherwise; nothing is noted of what it has to say.

        Args:
            minion: The minion as it would be declared.
            project: What compiles have in common, where that is another one as well.
            briefly: Whether it is enough to know that a value is derived from some secret.
        """
        return self._compiler.compile(minion, project, briefly=briefly)

    @property
    def compiler(self) -> MinionCompiler:
        """Compiles minions, and notes nothing of what they have to say."""
        return self._compiler

    @property
    def project(self) -> Project:
        """What the compiles have in common."""
        return self._project

    @property
    def rules(self) -> Rules | None:
        """What is secret; None where everything is revealed."""
        return self._door.rules

    @property
    def door(self) -> Door:
        """Redacts what is shown; another book over the same fleet may share it."""
        return self._door

    @property
    def store(self) -> SecretStore:
        """The clear values of secrets."""
        return self._store

    @property
    def environments(self) -> "Sequence[EnvironmentSide]":
        """The environments that are compared."""
        return tuple(replace(one.side, name=name) for name, one in self._environments.items())

    def pillar_in(self, environment: str, minion: str) -> RedactedPillar:
        """Return what a minion would get in an environment.

        Where that is what it is declared with, and its pillar was the last one asked for, that
        pillar is given again.
        """
        declared = self._minions[minion]
        forced = self.forced(environment, minion)
        latest = self._latest
        if forced == declared and latest is not None and latest[1].minion == minion:
            return latest[1]
        return self.shown_pillar(self.compile_as(forced))

    def compile_in(self, environment: str, minion: str) -> CompiledPillar:
        """Compile a minion with one of the environments forced; nothing is noted of it."""
        return self.compile_as(self.forced(environment, minion))

    def latest(self, minion: str) -> tuple[CompiledPillar, RedactedPillar]:
        """Return what a minion gets, again where its pillar was the last one asked for."""
        if self._latest is None or self._latest[1].minion != minion:
            self.pillar(minion)
        assert self._latest is not None  # noqa: S101 (as ``pillar`` leaves it)
        return self._latest

    def shown_pillar(self, compiled: CompiledPillar) -> RedactedPillar:
        """Take a compiled pillar through the door; it says what went wrong in it, and where."""
        return with_faults(self.redact(compiled, notes=False), compiled, self._door)

    def diagnostics_in(self, compiled: CompiledPillar) -> Iterator[Diagnostic]:
        """Return what there is to say about a pillar that was compiled to be compared."""
        return self._findings.judge(compiled, self._ids.shown(compiled.minion))

    def forced(self, environment: str, minion: str) -> Minion:
        """Return a minion as it would be declared in an environment."""
        return self._environments[environment].force(self._minions[minion], self._project.options)
