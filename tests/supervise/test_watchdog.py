"""How the process that works ends on a signal."""

import gc
import os
import signal
import time
from pathlib import Path

from pillarbook.supervise.heartbeat import Heartbeat
from pillarbook.supervise.watchdog import run_watched


def test_a_signal_in_a_callback_of_the_garbage_collector_ends_the_command(tmp_path: Path) -> None:
    def stop(phase: str, _: object) -> None:
        if phase == "stop":
            os.kill(os.getpid(), signal.SIGTERM)

    def work(_: Heartbeat) -> int:
        os.dup2(os.open(tmp_path / "err", os.O_WRONLY | os.O_CREAT), 2)
        gc.callbacks.append(stop)
        gc.collect()
        gc.callbacks.remove(stop)
        time.sleep(60)
        return 0

    pid = os.fork()
    if pid == 0:
        os._exit(run_watched(work))
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 128 + signal.SIGTERM
    assert not (tmp_path / "err").read_text()
