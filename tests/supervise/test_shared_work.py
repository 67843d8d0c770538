"""Processes that share work: in step, and lost as one."""

import os
import signal
import time
from contextlib import closing
from typing import Any

import pytest

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.supervise.heartbeat import Heartbeat
from pillarbook.supervise.render_limits import Watch
from pillarbook.supervise.shared_work import LostWorkerError, Member, SharedWork
from pillarbook.supervise.watchdog import run_watched

LARGE = 300_000
"""Bytes: more than a pipe holds."""


def no_watch(_: str) -> None:
    """Guard nothing."""


@pytest.mark.parametrize("count", [1, 2, 3])
def test_each_gets_what_all_have_given(count: int) -> None:
    def work(member: Member) -> tuple[int, Any]:
        first = member.exchange((member.rank, bytes([member.rank]) * LARGE))
        second = member.exchange(sum(rank for rank, _ in first))
        os.write(member.output, f"by {member.rank}".encode())
        return os.getpid(), ([(rank, set(held)) for rank, held in first], second)

    with SharedWork(count, no_watch) as shared:
        results = shared.run(work)
        written = [os.pread(member.output, 99, 0).decode() for member in shared.members]
    ranks = list(range(count))
    assert written == [f"by {rank}" for rank in ranks]
    assert len({process for process, _ in results}) == count
    assert results[0][0] == os.getpid()
    expected = [(rank, {rank}) for rank in ranks], (sum(ranks),) * count
    assert [found for _, found in results] == [expected] * count


def fail(member: Member) -> None:
    if member.rank == 1:
        raise ValueError("hunter2")


def die(member: Member) -> None:
    if member.rank == 1:
        os.kill(os.getpid(), signal.SIGKILL)


def leave(member: Member) -> None:
    if member.rank == 1:
        raise SystemExit(130)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("what", "said"), [(fail, "ValueError"), (die, "SIGKILL"), (leave, "exit code 130")]
)
@pytest.mark.parametrize("exchanges", [True, False])
def test_a_lost_process_is_an_error(what: Any, said: str, exchanges: bool) -> None:
    def work(member: Member) -> None:
        what(member)
        if exchanges:
            member.exchange(member.rank)

    with SharedWork(3, no_watch) as shared, pytest.raises(LostWorkerError) as raised:
        shared.run(work)
    assert said in str(raised.value)
    assert "hunter2" not in str(raised.value)


def test_an_error_of_this_process_ends_the_others() -> None:
    started = time.monotonic()

    def work(member: Member) -> None:
        if member.rank == 0:
            raise KeyError(member.rank)
        time.sleep(60)

    with SharedWork(2, no_watch) as shared, pytest.raises(KeyError):
        shared.run(work)
    assert time.monotonic() - started < 30


def test_a_process_that_is_stuck_in_a_render_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pillarbook.supervise.shared_work.CLOCK_FACTOR", 1.0)

    def work(member: Member) -> None:
        if member.rank == 1:
            with watch("stuck.sls"):
                time.sleep(60)

    with (
        closing(Watch(Limits(seconds=0.5))) as watch,
        SharedWork(2, watch) as shared,
        pytest.raises(LostWorkerError, match="SIGKILL"),
    ):
        shared.run(work)


def test_the_watchdog_begins_again_without_a_render_that_ended_a_process() -> None:
    def work(heartbeat: Heartbeat) -> int:
        watch = Watch(Limits(), heartbeat)
        watch.minion = "m1"

        def render(member: Member) -> int:
            if member.rank == 0:
                return 0
            try:
                with watch("bomb.sls"):
                    os.kill(os.getpid(), signal.SIGKILL)
            except LimitExceeded:
                return 7
            return 1

        with closing(watch), SharedWork(2, watch) as shared:
            return sum(shared.run(render))

    pid = os.fork()
    if pid == 0:
        os._exit(run_watched(work))
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
