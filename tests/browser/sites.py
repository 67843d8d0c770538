"""Sites that tests open, each built once for all the processes of a test run."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.fleets import ROOT

from pillarbook.publish.build import build_site


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


def build_example(folder: Path) -> None:
    """Build the report of the example fleet."""
    assert build_site(ROOT / "mkdocs.yml", site_dir=folder) == 0


def build_tree(folder: Path) -> None:
    """Build the report of a tree that has ``mkdocs.yml``."""
    assert build_site(folder / "mkdocs.yml", site_dir=folder / "site") == 0
