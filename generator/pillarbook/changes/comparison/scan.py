"""Compiles every minion of the head in several processes, and finds those that a change affects.

A forked process takes a part of the fleet, and returns the outcome of each minion and whether it is
affected. The other processes only help: what they do not finish is done here. Their results come
back in shared memory, never on disk.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Self

from pillarbook.changes.comparison.affected import SharedScope
from pillarbook.changes.comparison.open_sides import Sides
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.tree_lookups import Look
from pillarbook.diagnostics import Diagnostic
from pillarbook.redact.shared_secrets import NewSecrets, SharedSecrets
from pillarbook.session.process_count import SCAN, count_processes
from pillarbook.supervise.work_queue import WorkQueue
from pillarbook.supervise.worker import Worker


@dataclass(frozen=True, slots=True)
class ScanResult:
    """The result of the scan for a minion of the head."""

    outcome: str
    affected: bool
    """Whether its pillar may differ in the base."""
    compiled: CompiledPillar | None = None
    """Its pillar; None if another process has compiled it, or if it is not affected."""
    states_affected: bool = False
    """Whether its states may differ in the base, with the same pillar."""
    deployed: tuple[str, ...] = ()
    """The changed files that its states deploy."""


@dataclass(frozen=True, slots=True)
class _Report:
    """The report of a process about one minion."""

    minion: str
    scanned: ScanResult
    found: tuple[Diagnostic, ...]
    asked: tuple[Look, ...] = ()
    """The new lookups of this minion that both sides have answered."""
    learned: SharedSecrets | None = None

    def __repr__(self) -> str:
        """Return the minion, never a secret."""
        return f"_Report({self.minion!r})"


class HeadScan:
    """A scan of the head; the other processes start at once.

    It must be made before a second thread exists. ``processes`` is the number of processes, if
    several are possible; None for as many as save time.
    """

    def __init__(self, sides: Sides, processes: int | None = None) -> None:
        self._sides = sides
        fleet = sides.head.fleet
        # The rules look at the whole fleet.
        is_whole = sides.head.compiler.findings.has_rules
        minions = fleet.minions if is_whole else tuple(filter(fleet.has, sides.minions))
        self._minions = minions
        count = count_processes(sides.head, SCAN, len(minions), processes)
        if not sides.is_comparable:
            count = 1
        self._work_queue = WorkQueue(fleet.sort_by_kind(minions))
        watch = sides.head.compiler.project.watch
        self._others = [Worker(watch, self._describe(one / count)) for one in range(1, count)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the other processes, even if they have not finished."""
        for other in self._others:
            other.close()
        self._work_queue.close()

    def finish(self, step: Callable[[], None] = lambda: None) -> dict[str, ScanResult]:
        """Return the results for all scanned minions of the head, in order.

        Then the head has all secrets and diagnostics; the secrets are not frozen yet. ``step`` is
        called after each minion, to show progress.
        """
        reports: dict[str, _Report] = {}
        for minion in self._work_queue.take():
            reports[minion] = _look_at(self._sides, minion)
            step()
        for other in self._others:
            for report in other.reports():
                reports[report.minion] = report
                self._take(report)
                step()
        known = {}
        # In the order of the fleet and not of the reports, so that secret ids and tokens do not
        # depend on the number of processes.
        for minion in self._minions:
            report = reports.get(minion) or _look_at(self._sides, minion)
            if not self._sides.head.compiler.findings.has_rules:
                own = self._sides.head.fleet.declared(minion).id
                self._sides.head.compiler.findings.take_over(own, report.found)
            known[minion] = report.scanned
        return known

    def _take(self, report: _Report) -> None:
        """Take the secrets and lookups of another process."""
        if report.learned is not None:
            self._sides.head.shown.redactor.take_over(report.learned)
        self._sides.states.deployed.note(report.minion, report.scanned.deployed)
        shared = self._sides.share(report.minion) if report.asked else None
        # the process that read them has reported files that cannot be compared
        if shared is not None:
            for look in report.asked:
                shared.answers_alike((look,))

    def _describe(self, share: float) -> Iterator[_Report]:
        """Yield reports on minions, from a position in the queue; run in another process."""
        new_secrets = self._sides.head.shown.redactor.new_secrets()
        asked: dict[SharedScope, int] = {}
        for minion in self._work_queue.take(share):
            report = _look_at(self._sides, minion)
            scanned = replace(report.scanned, compiled=None)
            looks = _new_looks(self._sides.share(minion), asked)
            yield _Report(minion, scanned, report.found, looks, _new_secrets(new_secrets))


def _look_at(sides: Sides, minion: str) -> _Report:
    head = sides.head
    # The rules look at the pillars that `compile` notes. Without rules, diagnostics are noted
    # later, in the order of the fleet.
    is_noted = head.compiler.findings.has_rules
    compiled = (
        head.compiler.compile(minion)
        if is_noted
        else head.compiler.compile_as(head.fleet.declared(minion))
    )
    head.collect_secrets(compiled, for_show=False)
    found = () if is_noted else head.compiler.findings.word(compiled)
    affected = sides.touches(compiled)
    states = sides.states.touches(minion, compiled)
    kept = compiled if affected or states else None
    deployed = sides.states.deployed.of(minion)
    return _Report(minion, ScanResult(compiled.outcome, affected, kept, states, deployed), found)


def _new_looks(shared: SharedScope | None, known: dict[SharedScope, int]) -> tuple[Look, ...]:
    if shared is None:
        return ()
    looks = shared.asked_since(known.get(shared, 0))
    known[shared] = known.get(shared, 0) + len(looks)
    return looks


def _new_secrets(new_secrets: NewSecrets) -> SharedSecrets | None:
    learned = new_secrets.take()
    return learned if learned.secrets or learned.spots else None
