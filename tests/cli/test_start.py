"""The command's start, before there is anything to look after it."""

import signal
import subprocess
import sys

import pytest

INTERRUPTED = """
import importlib.abc, os, signal, sys

class Interrupt(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
from pillarbook.__main__ import main
main()
"""


@pytest.mark.parametrize("module", ["pillarbook.cli", "click", "yaml", "jinja2"])
def test_an_interrupt_while_it_loads_shows_no_traceback(module: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, module, "check"], capture_output=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (-signal.SIGINT, b"")
