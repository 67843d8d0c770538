"""Sites that tests look at, each built once for all the processes of a test run."""

import fcntl
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.support.fleets import ROOT
from tests.support.forked.commands import forked

from pillarbook.publish.mkdocs_run import build_site


@dataclass(frozen=True, slots=True)
class BuiltSite:
    """What a build wrote and said."""

    folder: Path
    """The site."""
    out: str
    """What went to standard output."""
    err: str
    """What went to standard error."""


def built_once(name: str, factory: pytest.TempPathFactory, build: Callable[[Path], None]) -> Path:
    """Return a folder that ``build`` fills, unless another process has."""
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder, done = shared / name, shared / f"{name}.done"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            build(folder)
            done.touch()
    return folder


def build_example(factory: pytest.TempPathFactory) -> BuiltSite:
    """Return the report of the example fleet, as the command builds it; nobody may change it."""

    def build(folder: Path) -> None:
        folder.mkdir()
        command = [forked(), "build", "--site-dir", str(folder / "site")]
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        (folder / "out").write_text(ended.stdout)
        (folder / "err").write_text(ended.stderr)

    made = built_once("example", factory, build)
    return BuiltSite(made / "site", (made / "out").read_text(), (made / "err").read_text())


def build_tree(folder: Path) -> None:
    """Build the report of a tree that has ``mkdocs.yml``."""
    build_site(folder / "mkdocs.yml", site_dir=folder / "site")
