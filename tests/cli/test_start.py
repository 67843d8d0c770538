"""The command's start: what it waits for, and before there is anything to look after it."""

import signal
import subprocess
import sys

import pytest

from pillarbook.cli.main import COMMANDS

INTERRUPTED = """
import importlib.abc, os, signal, sys

module = sys.argv.pop(1)

class Interrupt(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
from pillarbook.__main__ import main
main()
"""
LOADED = """
import io, sys

if sys.argv[1:]:
    from pillarbook.cli.main import run

    sys.stdout = sys.stderr = io.StringIO()
    run(sys.argv[1:])
else:
    import pillarbook
own = [name for name in sys.modules if name.partition(".")[0] == "pillarbook"]
print(len(own), *HEAVY.intersection(sys.modules), file=sys.__stdout__)
"""
HEAVY = {
    "ahocorasick_rs",
    "distributed",
    "jinja2",
    "mako",
    "mkdocs",
    "msgpack",
    "pygit2",
    "rich",
    "yaml",
}
LIMITS = {
    "": 1,
    "--version": 7,
    "--help": 7,
    "nosuch": 7,
    "compile --nosuch": 20,
    **{f"{command} --help": 20 for command in COMMANDS},
}
"""Words, and how many modules of pillarbook they may load: the time for each of them adds up."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("words", LIMITS)
def test_what_needs_no_pillar_loads_little(words: str) -> None:
    script = f"HEAVY = {HEAVY!r}\n{LOADED}"
    done = subprocess.run(
        [sys.executable, "-c", script, *words.split()], capture_output=True, text=True, check=True
    )
    count, *heavy = done.stdout.split()
    assert heavy == []
    assert int(count) <= LIMITS[words]


@pytest.mark.sample(1)
@pytest.mark.parametrize("module", ["pillarbook.cli", "click", "yaml", "jinja2"])
def test_an_interrupt_while_it_loads_shows_no_traceback(module: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, module, "check"],
        capture_output=True,
        check=False,
    )
    # What a command works with is loaded in a child, which ends as one that is interrupted.
    code = 128 + signal.SIGINT if module in ("yaml", "jinja2") else -signal.SIGINT
    assert (ended.returncode, ended.stderr) == (code, b"")


def test_compiling_loads_no_other_feature() -> None:
    script = "import sys, pillarbook.cli.print_pillars; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = [name for name in done.stdout.split() if name.startswith("pillarbook.")]
    features = {name.split(".")[1] for name in loaded}
    assert not features & {"bootstrap", "changes", "compare", "publish", "report", "verify"}
    assert "pillarbook.highstate.highstate" not in loaded
    assert "pillarbook.access.access_paths" not in loaded
    assert len(loaded) <= 365
