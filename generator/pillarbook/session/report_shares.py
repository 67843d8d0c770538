"""Compiling a fleet for its report, and writing what pages show of each minion, in some processes.

All minions are compiled before the first page is written, so that each page is written with the
secrets of all of them known (docs/decisions/0016). Where several processes share the work, each
compiles the minions that it takes from a queue, and exchanges with the others which lines of files
are secret, and then which secrets there are. It goes on with the pages of its own minions, while
what they get is still there as it was compiled (docs/decisions/0024).
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
from pillarbook.supervise.shared_progress import SharedProgress
from pillarbook.supervise.shared_work import Member, SharedWork
from pillarbook.supervise.work_queue import WorkQueue, sort_by_kind

if TYPE_CHECKING:
    from pillarbook.compile.compiled_pillar import CompiledPillar
    from pillarbook.session.session import Session


@dataclass(frozen=True, slots=True)
class _Share:
    """What a process hands over when it is done."""

    learned: SharedSecrets
    """The secrets that it has met since all were exchanged, such as copies of others."""
    findings: GivenFindings
    """Its diagnostics."""
    written: bytes
    """What ``write`` returned, packed."""


class ReportShares:
    """The work on a report's minions.

    Args:
        session: The fleet.
        write: Called with the places in the inventory of the minions that a process has compiled.
    """

    def __init__(self, session: "Session", write: Callable[[Sequence[int]], Any]) -> None:
        self._session = session
        self._write = write
        self._minions = session.fleet.minions
        self._queue = WorkQueue(sort_by_kind(self._minions))
        self._progress = SharedProgress(1)

    def run(self) -> Sequence[Any]:
        """Do the work; return what the other processes have written, nothing if there is none."""
        session, minions = self._session, self._minions
        # What changed since a revision is explained by what this process compiled of both sides.
        is_alone = session.beside is not None
        count = 1 if is_alone else count_processes(session, REPORT, len(minions), session.jobs)
        if count == 1:
            _learn(session, minions, lambda: None)
            return ()
        self._progress = SharedProgress(count)
        prepare_decryptor(session)
        session.report.about.describe()  # walks all files: the processes take it over as it is
        with SharedWork(count, session.compiler.project.watch) as shared:
            _, *others = shared.run(self._work)
        redactor = session.shown.redactor
        for one in others:
            assert one is not None  # noqa: S101 (only the first process hands nothing over)
            redactor.take_over(one.learned)
            session.compiler.findings.take(one.findings)
        return [unpack(one.written, redactor.store) for one in others if one is not None]

    def _work(self, member: Member) -> _Share | None:
        """Compile the minions that this process takes, and write what pages show of them."""
        session, redactor = self._session, self._session.shown.redactor
        new_secrets = redactor.new_secrets()
        session.report.on_pillar = self._progress.stepper(member.rank, session.report.on_pillar)
        taken: dict[str, None] = {}

        def take() -> Iterable[str]:
            for minion in self._queue.take(member.rank / member.count):
                taken[minion] = None
                yield minion

        _learn(session, take(), lambda: exchange_secrets(member, redactor, new_secrets))
        # Two may have reached for one piece of the queue in the same moment.
        before = set().union(*member.exchange(tuple(taken))[: member.rank])
        rank_of = {minion: rank for rank, minion in enumerate(self._minions)}
        written = self._write(sorted(rank_of[minion] for minion in taken if minion not in before))
        if member.rank == 0:
            return None
        findings = session.compiler.findings
        findings.add(session.shown.diagnostics_besides())
        return _Share(new_secrets.take(), findings.give(), pack(written, redactor.store))


def _learn(session: "Session", minions: Iterable[str], exchange: Callable[[], None]) -> None:
    """Compile some minions in all the ways that the report shows, and freeze their secrets.

    ``exchange`` hands what was learned to the other processes, and takes what they have learned.
    """
    redactor = session.shown.redactor
    ahead: list[CompiledPillar] = []
    for minion in minions:
        ahead += session.report.ahead.compile(minion)
    with suppress(RecursionError):  # too deep, which ``redact`` reports
        redactor.index(ahead)
    exchange()
    for one in ahead:
        with suppress(RecursionError):
            session.collect_secrets(one, for_show=False)
    exchange()
    if session.beside is not None:
        session.beside.freeze_secrets()
    session.freeze_secrets()
