"""Compile every minion of the head, on several processors, to find those that a change affects.

A forked process looks at a share of the fleet and hands back a line for each minion: its outcome,
and whether it is affected. It is a help and no more: what it does not get done, or cannot be asked,
is looked at here. What it learns comes back in memory that both share, never on disk.
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
from pillarbook.supervise.work_queue import WorkQueue, sort_by_kind
from pillarbook.supervise.worker import Worker


@dataclass(frozen=True, slots=True)
class ScanResult:
    """What is known of a minion of the head."""

    outcome: str
    """Its outcome."""
    affected: bool
    """Whether it may get something else in the base."""
    compiled: CompiledPillar | None = None
    """What it gets; None if another process looked, and if it is not affected."""
    states_affected: bool = False
    """Whether its states may be others in the base with the same pillar."""


@dataclass(frozen=True, slots=True)
class _Report:
    """What was found out about one minion."""

    minion: str
    scanned: ScanResult
    found: tuple[Diagnostic, ...]
    asked: tuple[Look, ...] = ()
    """What both sides were asked for it, and for none before."""
    learned: SharedSecrets | None = None

    def __repr__(self) -> str:
        """Return whose it is, never a secret."""
        return f"_Report({self.minion!r})"


class HeadScan:
    """A look at the head; other processes begin with theirs at once.

    It has to be made before there is a second thread.

    ``processes`` is how many share the work, if that is possible; None for as many as are of use.
    """

    def __init__(self, sides: Sides, processes: int | None = None) -> None:
        self._sides = sides
        fleet = sides.head.fleet
        # Rules look at the fleet as a whole.
        is_whole = sides.head.compiler.findings.has_rules
        self._minions = minions = fleet.minions if is_whole else fleet.asked
        count = count_processes(sides.head, SCAN, len(minions), processes)
        if not sides.is_comparable:
            count = 1
        self._work_queue = WorkQueue(sort_by_kind(minions))
        watch = sides.head.compiler.project.watch
        self._others = [Worker(watch, self._describe(one / count)) for one in range(1, count)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the other processes, whatever they have done."""
        for other in self._others:
            other.close()
        self._work_queue.close()

    def finish(self, step: Callable[[], None] = lambda: None) -> dict[str, ScanResult]:
        """Return what is known of each minion of the head that is looked at, in order.

        The head knows all their secrets and diagnostics then; the secrets are still to be frozen.

        ``step`` is called after each minion, to show progress.
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
        # In the fleet's order and not in that of the reports, so that numbers and tokens are the
        # same with any number of processes.
        for minion in self._minions:
            report = reports.get(minion) or _look_at(self._sides, minion)
            if not self._sides.head.compiler.findings.has_rules:
                own = self._sides.head.fleet.declared(minion).id
                self._sides.head.compiler.findings.take_over(own, report.found)
            known[minion] = report.scanned
        return known

    def _take(self, report: _Report) -> None:
        """Take what another process found out, but for what there is to say."""
        if report.learned is not None:
            self._sides.head.shown.redactor.take_over(report.learned)
        shared = self._sides.share(report.minion) if report.asked else None
        if shared is not None:  # files that cannot be compared are reported where they were read
            for look in report.asked:
                shared.answers_alike((look,))

    def _describe(self, share: float) -> Iterator[_Report]:
        """Yield reports on minions, from some share of them on; run in another process."""
        new_secrets = self._sides.head.shown.redactor.new_secrets()
        asked: dict[SharedScope, int] = {}
        for minion in self._work_queue.take(share):
            report = _look_at(self._sides, minion)
            scanned = replace(report.scanned, compiled=None)
            looks = _new_looks(self._sides.share(minion), asked)
            yield _Report(minion, scanned, report.found, looks, _new_secrets(new_secrets))


def _look_at(sides: Sides, minion: str) -> _Report:
    head = sides.head
    # Rules look at what ``compile`` notes; without them it is noted in the fleet's order, later.
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
    return _Report(minion, ScanResult(compiled.outcome, affected, kept, states), found)


def _new_looks(shared: SharedScope | None, known: dict[SharedScope, int]) -> tuple[Look, ...]:
    if shared is None:
        return ()
    looks = shared.asked_since(known.get(shared, 0))
    known[shared] = known.get(shared, 0) + len(looks)
    return looks


def _new_secrets(new_secrets: NewSecrets) -> SharedSecrets | None:
    learned = new_secrets.take()
    return learned if learned.secrets or learned.spots else None
