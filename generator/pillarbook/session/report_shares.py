"""Compiles a fleet for its report, and writes the parts of minions' pages, in some processes.

All minions are compiled before the first page is written, so that each page is written with the
secrets of all minions known (docs/decisions/0016). If several processes share the work, each
compiles minions that it takes from a queue. Then they exchange the secret lines of files, and then
the secrets. Each process writes the pages of its own minions, because it still has their compiled
pillars (docs/decisions/0024).
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pillarbook.checks.fleet_findings import GivenFindings
from pillarbook.redact.packed import pack, unpack
from pillarbook.redact.shared_secrets import SharedSecrets
from pillarbook.session.fleet_shares import exchange_secrets, prepare_decryptor
from pillarbook.session.process_count import REPORT, count_processes
from pillarbook.supervise.shared_work import Member, SharedWork
from pillarbook.supervise.work_queue import SharedProgress, WorkQueue

if TYPE_CHECKING:
    from pillarbook.compile.compiled_pillar import CompiledPillar
    from pillarbook.session.session import Session


@dataclass(frozen=True, slots=True)
class ReportShare:
    """The results of a process."""

    learned: SharedSecrets
    """The secrets that it found after the exchange, such as copies of others."""
    findings: GivenFindings
    written: bytes
    """The result of ``write``, packed."""


@dataclass(frozen=True, slots=True)
class ReportPart:
    """The results of a machine that writes the pages of some minions."""

    known: tuple[SharedSecrets, ...]
    """The secrets of the fleet, which the machine knew before it wrote the first page."""
    shares: tuple[ReportShare, ...]
    """The results of its processes."""


class ReportShares:
    """The work on a report's minions.

    ``write`` is called with the inventory positions of the minions that a process has compiled.
    """

    def __init__(self, session: "Session", write: Callable[[Sequence[int]], Any]) -> None:
        self._session = session
        self._write = write
        self._minions = session.fleet.minions
        self._queue = WorkQueue(session.fleet.sort_by_kind(self._minions))
        self._progress = SharedProgress(1)
        self._part: frozenset[str] | None = None
        self._known: list[SharedSecrets] = []

    def run(self) -> Sequence[Any]:
        """Do the work; return the results of the other processes, if there are any."""
        session, minions = self._session, self._minions
        # The changes since a revision are explained with the compiled pillars of both sides, which
        # one process must have.
        is_alone = session.beside is not None
        count = 1 if is_alone else count_processes(session, REPORT, len(minions), session.jobs)
        if count == 1:
            learn_minions(session, minions)
            return ()
        return take_shares(session, self._share(count))

    def make_part(self, minions: frozenset[str]) -> ReportPart:
        """Compile the whole fleet for its secrets, and write the pages of some minions."""
        session = self._session
        self._part = minions
        count = count_processes(session, REPORT, len(self._minions), session.jobs)
        shares = tuple(self._share(count))
        return ReportPart(tuple(self._known), shares)

    def _share(self, count: int) -> list[ReportShare]:
        """Do the work in some processes; return the results that are handed over."""
        session = self._session
        self._progress = SharedProgress(count)
        prepare_decryptor(session)
        session.report.about.describe()  # before the fork, because it reads all files
        with SharedWork(count, session.compiler.project.watch) as shared:
            return [share for share in shared.run(self._work) if share is not None]

    def _work(self, member: Member) -> ReportShare | None:
        """Compile the minions that this process takes, and write what pages show of them."""
        session, redactor = self._session, self._session.shown.redactor
        new_secrets, all_secrets = redactor.new_secrets(), redactor.new_secrets()
        session.report.on_pillar = self._progress.stepper(member.rank, session.report.on_pillar)
        taken: dict[str, None] = {}

        def take() -> Iterable[str]:
            for minion in self._queue.take(member.rank / member.count):
                taken[minion] = None
                yield minion

        def exchange() -> None:
            exchange_secrets(member, redactor, new_secrets)
            if member.rank == 0:
                self._known.append(all_secrets.take())

        learn_minions(session, take(), exchange)
        # Two processes may have taken the same piece of the queue.
        before = set().union(*member.exchange(tuple(taken))[: member.rank])
        rank_of = {minion: rank for rank, minion in enumerate(self._minions)}
        own = [minion for minion in taken if minion not in before]
        if self._part is not None:
            own = [minion for minion in own if minion in self._part]
        # In the order of the compile, so neighbours are of one kind, and share most.
        written = self._write([rank_of[minion] for minion in own])
        redactor.forget()
        if member.rank == 0 and self._part is None:
            return None
        findings = session.compiler.findings
        findings.add(session.shown.diagnostics_besides())
        return ReportShare(new_secrets.take(), findings.give(), pack(written, redactor.store))


def take_shares(session: "Session", shares: Iterable[ReportShare]) -> list[Any]:
    """Add the results of other processes to a session; return what ``write`` returned there."""
    redactor = session.shown.redactor
    taken = tuple(shares)
    for one in taken:
        redactor.take_over(one.learned)
        session.compiler.findings.take(one.findings)
    return [unpack(one.written, redactor.store) for one in taken]


def learn_minions(
    session: "Session", minions: Iterable[str], exchange: Callable[[], None] = lambda: None
) -> None:
    """Compile all pillars of some minions that the report shows, and freeze their secrets.

    ``exchange`` sends new secrets to the other processes, and adds theirs.
    """
    ahead: list[CompiledPillar] = []
    for minion in minions:
        ahead += session.report.ahead.compile(minion)
    exchange()
    for one in ahead:
        with suppress(RecursionError):  # too deep, which ``redact`` reports
            session.collect_secrets(one, for_show=False)
    exchange()
    if session.beside is not None:
        session.beside.freeze_secrets()
    session.freeze_secrets()
    if session.beside is None and not session.report.has_states:  # else pages need more compiles
        session.compiler.project.remembered.forget()
