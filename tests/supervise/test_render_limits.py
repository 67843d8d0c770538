"""The guard over single renders of files."""

import gc
import itertools
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.supervise.render_limits import CPU_FACTOR, Watch

SECONDS = 0.2
IN_C = f"""
import itertools
from pillarbook.supervise.render_limits import Watch
from pillarbook.compile.limits import Limits
with Watch(Limits(seconds={SECONDS}))("bomb.sls"):
    sum(itertools.repeat(0, 10 ** 12))
"""


IN_THREAD = f"""
import threading
def work():
{textwrap.indent(IN_C, "    ")}
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""
AFTERWARDS = f"""
import itertools, time
from pillarbook.supervise.render_limits import Watch
from pillarbook.compile.limits import Limits
watch = Watch(Limits(seconds={SECONDS}))
with watch("short.sls"):
    pass
start = time.process_time()
sum(itertools.repeat(0, 10 ** 7))
sum(itertools.repeat(0, int(10 ** 7 * {SECONDS * CPU_FACTOR * 1.5} / (time.process_time() - start))))
with watch("short.sls"):
    time.sleep(0.01)
print(time.process_time())
"""


@pytest.fixture
def watch() -> Iterator[Watch]:
    with closing(Watch(Limits(seconds=SECONDS))) as watch:
        yield watch


def work_without_end() -> None:
    any(number < 0 for number in itertools.count())


def work(seconds: float) -> None:
    end = time.process_time() + seconds
    any(time.process_time() > end for _ in itertools.count())


@pytest.mark.sample(1)
@pytest.mark.parametrize("code", [IN_C, IN_THREAD], ids=["main thread", "other thread"])
def test_code_in_c_ends_its_process(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert done.returncode == -signal.SIGVTALRM
    assert done.stderr == b""


@pytest.mark.slow
def test_code_in_c_outside_of_guards_takes_as_long_as_it_likes() -> None:
    done = subprocess.run([sys.executable, "-c", AFTERWARDS], check=False, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) > SECONDS * CPU_FACTOR * 0.9  # clocks of processes are coarse


def test_code_in_python_is_interrupted(watch: Watch) -> None:
    for _ in range(2):
        with pytest.raises(LimitExceeded, match=r"of a render, 0\.2 s"), watch("slow.sls"):
            work_without_end()


@pytest.mark.slow
def test_an_interrupted_callback_prints_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first interrupt comes within a callback of the garbage collector."""
    lost: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lost.append)
    seconds = 1.0  # so that the timer goes off again before the system ends the process

    def collect(*_: object) -> None:
        gc.callbacks.remove(collect)
        called.append("collect")
        work(1.2 * seconds)

    def collect_without_end() -> None:
        gc.collect(0)
        work_without_end()

    called: list[str] = []
    gc.callbacks.append(collect)
    with (
        closing(Watch(Limits(seconds=seconds))) as watch,
        pytest.raises(LimitExceeded),
        watch("slow.sls"),
    ):
        collect_without_end()
    assert called
    assert not lost


@pytest.mark.slow
def test_each_piece_of_work_has_all_its_time(watch: Watch) -> None:
    """A timer that is set for one piece goes off in a later one."""
    for _ in range(5):
        with watch("half.sls"):
            work(SECONDS / 2)
        work(SECONDS / 3)


def test_a_file_with_less_time_is_interrupted_early(watch: Watch) -> None:
    for _ in range(6):
        watch.note_overrun("slow.sls")
    assert watch.seconds("slow.sls") < SECONDS / 50
    with watch("one.sls"):  # the timer is set for this one's time
        pass
    before = time.process_time()
    with pytest.raises(LimitExceeded), watch("slow.sls"):
        work_without_end()
    assert time.process_time() - before < SECONDS


@pytest.mark.slow
def test_an_exception_that_is_swallowed_comes_again() -> None:
    def swallow() -> None:
        with suppress(BaseException):  # as the sandbox of another language may
            work_without_end()
        work_without_end()

    with (
        closing(Watch(Limits(seconds=1))) as watch,
        pytest.raises(LimitExceeded),
        watch("slow.sls"),
    ):
        swallow()


@pytest.mark.slow
@pytest.mark.parametrize("is_made_before", [True, False])
def test_another_watch_in_between_takes_nothing_away(watch: Watch, is_made_before: bool) -> None:
    early = Watch(Limits(seconds=SECONDS))
    with watch("one.sls"):
        pass
    other = early if is_made_before else Watch(Limits(seconds=SECONDS))
    with closing(other), pytest.raises(LimitExceeded), other("slow.sls"):
        work_without_end()
    with pytest.raises(LimitExceeded), watch("slow.sls"):
        work_without_end()


def test_an_earlier_watch_that_closes_takes_nothing_away(watch: Watch) -> None:
    early = Watch(Limits(seconds=SECONDS))
    with early("one.sls"):
        pass
    with watch("one.sls"):
        pass
    early.close()
    with pytest.raises(LimitExceeded), watch("slow.sls"):
        work_without_end()


@pytest.mark.slow
def test_a_forked_process_is_guarded_too(watch: Watch) -> None:
    with watch("one.sls"):
        work(SECONDS / 2)
    child = os.fork()
    if child == 0:
        try:
            with watch("slow.sls"):
                work_without_end()
        except LimitExceeded:
            os._exit(7)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_nothing_is_left_of_a_watch() -> None:
    before = signal.getsignal(signal.SIGPROF), signal.getsignal(signal.SIGVTALRM)
    watch = Watch(Limits(seconds=SECONDS))
    with watch("one.sls"):
        left, _ = signal.getitimer(signal.ITIMER_VIRTUAL)
        assert 0 < left <= SECONDS * CPU_FACTOR + 0.1
    watch.close()
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    assert (signal.getsignal(signal.SIGPROF), signal.getsignal(signal.SIGVTALRM)) == before
