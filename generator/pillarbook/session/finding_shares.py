"""Compiles a fleet for its diagnostics in several processes; they are the same with any number.

Each process compiles minions that it takes from a queue, with their states. Then all processes
exchange their secrets, because diagnostics must not show those of any minion, and each returns its
diagnostics.
"""

from collections.abc import Callable

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.redact.packed import pack
from pillarbook.session.fleet_shares import exchange_secrets, prepare_decryptor
from pillarbook.session.process_count import REPORT, count_processes
from pillarbook.session.report_shares import ReportShare, take_shares
from pillarbook.session.session import Session
from pillarbook.supervise.shared_progress import SharedProgress
from pillarbook.supervise.shared_work import Member, SharedWork
from pillarbook.supervise.work_queue import WorkQueue


def look_at_fleet(session: Session, jobs: int | None, step: Callable[[], None]) -> list[str]:
    """Compile every minion and its states for their diagnostics.

    Args:
        session: The fleet.
        jobs: The number of processes; None for as many as save time.
        step: Called after each minion, to show progress.

    Returns:
        The shown ids of minions with unknown values, in their pillar or their states.
    """
    unknown: set[str] = set()

    def see(compiled: CompiledPillar) -> None:
        if compiled.has_unknown:
            unknown.add(compiled.minion)

    minions = session.fleet.minions
    count = count_processes(session, REPORT, len(minions), jobs)
    if count == 1:
        session.look_at(minions, step, see)
    else:
        queue, progress = WorkQueue(session.fleet.sort_by_kind(minions)), SharedProgress(count)

        def work(member: Member) -> ReportShare:
            redactor = session.shown.redactor
            new_secrets = redactor.new_secrets()
            session.look_at(
                queue.take(member.rank / member.count),
                progress.stepper(member.rank, step),
                see,
                lambda: exchange_secrets(member, redactor, new_secrets),
            )
            findings = session.compiler.findings
            findings.add(session.shown.diagnostics_besides())
            return ReportShare(new_secrets.take(), findings.give(), pack(unknown, redactor.store))

        prepare_decryptor(session)
        with SharedWork(count, session.compiler.project.watch) as shared:
            _, *others = shared.run(work)
        unknown.update(*take_shares(session, others))
    return [one for one in session.fleet.minions if session.fleet.declared(one).id in unknown]
