"""Minions that several processes look at; the results are the same with any number of them.

Each process compiles minions that it takes from a queue. Then all processes exchange their secrets,
because no result may show those of any minion, and each returns its result and its diagnostics.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.redact.packed import pack
from pillarbook.session.fleet_shares import exchange_secrets, prepare_decryptor
from pillarbook.session.process_count import REPORT, count_processes
from pillarbook.session.report_shares import ReportShare, take_shares
from pillarbook.session.session import Session
from pillarbook.supervise.shared_work import Member, SharedWork
from pillarbook.supervise.work_queue import SharedProgress, WorkQueue

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Share:
    """What one process looks at."""

    minions: Iterable[str]
    """The shown ids of its minions; they are taken from a queue while it works."""
    step: Callable[[], None]
    """To be called after each minion, to show progress."""
    exchange_secrets: Callable[[], None] = lambda: None
    """Adds the secrets of the other processes; each process has to call it equally often."""
    exchange: Callable[[Any], Sequence[Any]] = lambda own: (own,)
    """Returns what all processes gave; each process has to call it equally often."""
    rank: int = 0
    """The number of the process; the first one also does what is to be done once."""
    count: int = 1
    """The number of processes."""


def share_minions(
    session: Session,
    minions: Sequence[str],
    jobs: int | None,
    step: Callable[[], None],
    look: Callable[[Share], Result],
) -> list[Result]:
    """Return what each process finds in its share of some minions.

    With ``jobs`` None, there are as many processes as save time; what ``look`` returns is redacted.
    """
    count = count_processes(session, REPORT, len(minions), jobs)
    if count == 1:
        return [look(Share(minions, step))]
    queue, progress = WorkQueue(session.fleet.sort_by_kind(minions)), SharedProgress(count)
    first: list[Result] = []

    def work(member: Member) -> ReportShare:
        redactor = session.shown.redactor
        new_secrets = redactor.new_secrets()
        found = look(
            Share(
                queue.take(member.rank / member.count),
                progress.stepper(member.rank, step),
                lambda: exchange_secrets(member, redactor, new_secrets),
                member.exchange,
                member.rank,
                member.count,
            )
        )
        if member.rank == 0:
            first.append(found)
        findings = session.compiler.findings
        findings.add(session.shown.diagnostics_besides())
        return ReportShare(new_secrets.take(), findings.give(), pack(found, redactor.store))

    prepare_decryptor(session)
    with SharedWork(count, session.compiler.project.watch) as shared:
        _, *others = shared.run(work)
    return [*first, *take_shares(session, others)]


def freeze_shared_secrets(
    session: Session, compiled: Sequence[CompiledPillar], share: Share
) -> None:
    """Freeze the secrets of the minions that all processes look at, before any is shown.

    Several processes look at the whole fleet only: a request for some minions reads files in place
    of compiling the others.
    """
    if share.count == 1:
        session.freeze_asked_secrets(compiled)
        return
    ids = {session.fleet.declared(one).id for one in session.fleet.minions}
    besides = list(session.compile_besides(ids)) if share.rank == 0 else []
    session.shown.redactor.index((*compiled, *besides))
    share.exchange_secrets()
    for one in compiled:
        session.collect_secrets(one)
    for one in besides:
        session.collect_secrets(one, for_show=False)
    share.exchange_secrets()
    session.freeze_secrets()


def look_at_fleet(session: Session, jobs: int | None, step: Callable[[], None]) -> list[str]:
    """Compile all minions and their states for diagnostics; return those with unknown values."""

    def look(share: Share) -> set[str]:
        unknown: set[str] = set()

        def see(compiled: CompiledPillar) -> None:
            if compiled.has_unknown:
                unknown.add(compiled.minion)

        session.look_at(share.minions, share.step, see, share.exchange_secrets)
        return unknown

    unknown = set().union(*share_minions(session, session.fleet.minions, jobs, step, look))
    return [one for one in session.fleet.minions if session.fleet.declared(one).id in unknown]
