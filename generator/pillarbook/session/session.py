"""A session: an open fleet with its compiler and its redactor."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self

from pillarbook.access.fleet_access import FleetAccess
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Project, scope_of
from pillarbook.compile.renderers.gpg_decryptor import SealedDecryptor
from pillarbook.inventory.minions import Minion
from pillarbook.model import leaves
from pillarbook.redact import SecretStore
from pillarbook.redact.file_secrets import WrittenValue, learn_from_files
from pillarbook.session.fleet import Fleet
from pillarbook.session.fleet_compiler import FleetCompiler
from pillarbook.session.forced_environments import unpinned
from pillarbook.session.report_source import SessionReport
from pillarbook.session.shown_fleet import ShownFleet

if TYPE_CHECKING:
    from pillarbook.session.report_parts import Exchange

LARGE_FLEET = 1000
"""The most minions of a fleet that is compiled as a whole although only some are requested."""


class Session:
    """A fleet, whose minions are compiled on request.

    Secrets are first collected and then frozen: redacted data is searched only for secrets that
    were collected before.
    """

    def __init__(
        self,
        *,
        fleet: Fleet,
        compiler: FleetCompiler,
        shown: ShownFleet,
        access: FleetAccess,
        report: SessionReport,
        close: Callable[[], None],
    ) -> None:
        self.fleet = fleet
        """The minions and environments."""
        self.compiler = compiler
        """Compiles the minions."""
        self.shown = shown
        """Redacts the results."""
        self.report = report
        """Returns the data of pages."""
        self.jobs: int | None = 1
        """The number of processes that may write the report; None for as many as save time."""
        self.exchange: Exchange | None = None
        """Replaces the work on the whole report: makes a part of it, or takes the parts."""
        self.beside: Session | None = None
        """The session of the earlier fleet, which is closed with this one."""
        self._access = access
        self._close = close

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the processes of the run, and remove its temporary files."""
        if self.beside is not None:
            self.beside.close()
        self._close()

    @property
    def store(self) -> SecretStore:
        """The clear values of secrets."""
        return self.shown.store

    def collect_secrets(self, compiled: CompiledPillar, *, for_show: bool = True) -> None:
        """Collect a pillar's secrets, which are searched for after ``freeze_secrets``.

        It takes less time if the pillar is not ``for_show``, that is, not redacted later.
        """
        grains = self.fleet.declared_by_id(compiled.minion).grains
        self.shown.redactor.collect_secrets(compiled, grains, for_show=for_show)

    def shows_all(self, chosen: Sequence[str]) -> bool:
        """Say whether a request for some minions needs the secrets of the whole fleet."""
        return self.shown.redactor.rules is None or len(chosen) == len(self.fleet.minions)

    def keep_what_is_written(self, compiled: CompiledPillar) -> CompiledPillar:
        """Return the part of a pillar that is written, after the lines of its files are indexed."""
        self.shown.redactor.index((compiled,))
        self.shown.redactor.open_parts.note(compiled.tree)
        return compiled.without_making()

    def freeze_secrets(self, compiled: Iterable[CompiledPillar] = ()) -> bool:
        """Search all redacted data for the secrets so far from now on; say whether any is new.

        Until then, only a minion's own secrets are looked for in its pillar, and names stay.
        Secrets of the given pillars are collected before; they need not be shown.
        """
        for one in compiled:
            self.collect_secrets(one, for_show=False)
        changed = self.shown.redactor.freeze_secrets()
        self._access.forget(names=changed)
        # After the redactor, because pages with names that are secret now must be made again.
        self.report.forget()
        self.fleet.freeze_names()
        return changed

    def freeze_fleet_secrets(
        self, compiled: Iterable[CompiledPillar] = (), *, for_show: bool = True
    ) -> None:
        """Freeze the secrets of the whole fleet.

        Other minions are compiled for their secrets: plain text on one minion may be the password
        of another one. But in a large fleet, a request for one minion must not wait for all. It
        takes less time if the pillars are not ``for_show``, that is, only written as JSON later.
        """
        given = tuple(compiled)
        others = list(self.compile_besides({one.minion for one in given}))
        self.shown.redactor.index((*given, *others))
        for one in given:
            self.collect_secrets(one, for_show=for_show)
        self.freeze_secrets(others)

    def compile_besides(self, known: Collection[str]) -> Iterator[CompiledPillar]:
        """Yield pillars that are compiled only for their secrets.

        The minions in ``known``, by their own ids, are those whose pillars are known.
        """
        # A request for one minion of 10,000 must not wait for all.
        if self.shown.redactor.rules is None or len(self.fleet.minions) > LARGE_FLEET:
            return
        for minion in map(self.fleet.declared, self.fleet.minions):
            if minion.id not in known:
                yield self.compiler.compile_as(minion)
        # With other grains a minion reads other files, but its declared secrets stay secret.
        for minion in self.compiler.project.fleet:
            if minion.grains is not self.fleet.declared_by_id(minion.id).grains:
                yield self.compiler.compile_as(minion)
        yield from self._compile_unpinned()

    def freeze_asked_secrets(
        self, compiled: Sequence[CompiledPillar], *, for_show: bool = True
    ) -> None:
        """Freeze the secrets of some minions, and the secrets in the files that they read.

        A request for one minion must not wait for the fleet. If all minions are requested, or if
        there are keys, the secrets of the fleet are frozen: nobody can find the copy of an
        encrypted secret in the tree.
        """
        asked = dict.fromkeys(one.minion for one in compiled)
        rules = self.shown.redactor.rules
        minions = [self.fleet.declared_by_id(minion) for minion in asked]
        has_keys = not isinstance(self.compiler.project.decryptor, SealedDecryptor)
        if rules is None or has_keys or len(asked) == len(self.fleet.minions):
            self.freeze_fleet_secrets(compiled, for_show=for_show)
            return
        others = tuple(self._compile_unpinned(minions))
        self.shown.redactor.index((*compiled, *others))
        for one in compiled:
            self.collect_secrets(one, for_show=for_show)
        for one in others:
            self.collect_secrets(one, for_show=False)
        files, judged = read_files(compiled, minions, self.compiler.project)
        learn_from_files(files, judged, rules, self.store)
        self.freeze_secrets()

    def _compile_unpinned(
        self, minions: Sequence[Minion] | None = None, only: Collection[str] | None = None
    ) -> Iterator[CompiledPillar]:
        """Yield pillars of environments in which no minion is compiled, for their secrets.

        A name that is secret in one environment is secret in all.

        ``minions`` are those to look at, ``only`` the own ids of those whose pillars are wanted;
        None for all.
        """
        if minions is None:
            minions = tuple(map(self.fleet.declared, self.fleet.minions))
        compiler = self.compiler.minion_compiler
        for minion in unpinned(minions, self.compiler.project):
            if only is None or minion.id in only:
                yield compiler.compile_without_recording(minion, self.compiler.project)

    def know(self, earlier: SecretStore) -> None:
        """Add the secrets of an earlier run over the same fleet."""
        self.shown.store.know(earlier)
        if self.beside is not None:
            self.beside.freeze_secrets()
        self.freeze_secrets()

    def learn(self, ranks: Sequence[int]) -> None:
        """Compile what the report shows of the minions at some positions in the inventory.

        Their secrets are frozen, and those of other minions are not known.
        """
        from pillarbook.session.report_shares import learn_minions  # noqa: PLC0415 (for reports only)

        learn_minions(self, (self.fleet.minions[rank] for rank in ranks))

    def compile_fleet(self, write: Callable[[Sequence[int]], Any]) -> Sequence[Any]:
        """Compile everything that the report shows, so that the secrets of all minions are known.

        If there are several processes, ``write`` is called in each with the inventory positions of
        its minions, and the results are those of the other processes.
        """
        from pillarbook.session.report_shares import ReportShares  # noqa: PLC0415 (for reports only)

        if self.exchange is not None:
            return self.exchange.run(self, write)
        return ReportShares(self, write).run()

    def look_at_all(self) -> None:
        """Compile every minion and its states for their diagnostics; secrets must be frozen."""
        self.look_at(self.fleet.minions, lambda: None, lambda _: None)

    def look_at(
        self,
        minions: Iterable[str],
        step: Callable[[], None],
        see: Callable[[CompiledPillar], None],
        exchange: Callable[[], None] = lambda: None,
    ) -> None:
        """Compile some minions and their states for their diagnostics.

        ``see`` gets each clear pillar, and the clear states of each minion. ``exchange`` is called
        once, after the last minion; it adds the secrets of other processes.
        """
        taken: list[Minion] = []
        for minion in minions:
            taken.append(self.fleet.declared(minion))
            compiled = self.compiler.compile(minion)
            see(compiled)
            self.collect_secrets(compiled)
            states = self.compiler.states_of(compiled)
            if states is not None:
                see(states)
                self.collect_secrets(states, for_show=False)
            step()
        for one in self._compile_unpinned(only={one.id for one in taken}):
            self.collect_secrets(one, for_show=False)
        exchange()
        if self.freeze_secrets() or self.store.has_opened:
            # By name again, because names may have changed when they were frozen.
            for name in [self.fleet.shown_id(one.id) for one in taken]:
                self.shown.redact(self.compiler.compile(name))


def read_files(
    compiled: Iterable[CompiledPillar], minions: Sequence[Minion], project: Project
) -> tuple[dict[str, str], set[WrittenValue]]:
    """Return the texts of files by name, and the values of the minions with their lines."""
    scopes = {minion.id: scope_of(minion, project) for minion in minions}
    texts: dict[str, str] = {}
    values: set[WrittenValue] = set()
    for one in compiled:
        roots = scopes[one.minion].roots
        for read in (read for render in one.renders for read in render.files):
            found = roots.find(read.path, read.saltenv) if read.tree is None else None
            if found is not None and found.shown not in texts:
                texts[found.shown] = found.content.decode("utf-8", "replace")
        for _, _, origins in leaves(one.tree):
            values.update((origin.file, origin.line, str(origin.value)) for origin in origins)
    return texts, values
