"""The guard over single renders of files."""

import itertools
import signal
import subprocess
import sys

import pytest

from pillarbook.book.watch import PATIENCE, Watch
from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.errors import LimitExceeded

SECONDS = 0.2
IN_C = f"""
import itertools
from pillarbook.book.watch import Watch
from pillarbook.compile.limits import Limits
with Watch(Limits(seconds={SECONDS}))("bomb.sls"):
    sum(itertools.repeat(0, 10 ** 12))
"""


def test_code_in_c_ends_its_process() -> None:
    done = subprocess.run([sys.executable, "-c", IN_C], check=False, capture_output=True)
    assert done.returncode == -signal.SIGVTALRM
    assert done.stderr == b""


def test_code_in_python_is_interrupted() -> None:
    watch = Watch(Limits(seconds=SECONDS))
    with pytest.raises(LimitExceeded, match=r"more than 0\.2 s"), watch("slow.sls"):
        any(number < 0 for number in itertools.count())
    watch.close()


def test_nothing_is_left_of_a_guard() -> None:
    watch = Watch(Limits(seconds=SECONDS))
    with watch("one.sls"):
        left, _ = signal.getitimer(signal.ITIMER_VIRTUAL)
        assert 0 < left <= SECONDS * PATIENCE + 0.1
    watch.close()
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
