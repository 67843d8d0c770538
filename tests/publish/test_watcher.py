"""Watching files: what counts as a change, and that nothing ends the watch."""

import os
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pillarbook.publish.watcher import Watcher

PATIENCE = 20.0
"""Seconds; a busy machine may take its time."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "tree/sub/.git").mkdir(parents=True)
    (tmp_path / "tree/a.sls").write_text("a: 1\n")
    (tmp_path / "tree/sub/b.sls").write_text("b: 1\n")
    (tmp_path / "tree/sub/loop").symlink_to(tmp_path / "tree")
    (tmp_path / "outside.sls").write_text("o: 1\n")
    (tmp_path / "tree/link.sls").symlink_to(tmp_path / "outside.sls")
    (tmp_path / "minions.yml").write_text("minions: {}\n")
    return tmp_path


def replace_file(path: Path, text: str) -> None:
    """Write a file as editors do: beside it, then in its place."""
    part = path.with_suffix(".part")
    part.write_text(text)
    part.replace(path)


def add_folder(path: Path) -> None:
    path.mkdir()
    (path / "a.conf").touch()


CHANGES: dict[str, Callable[[Path], object]] = {
    "written": lambda root: (root / "tree/a.sls").write_text("a: 22\n"),
    "replaced": lambda root: replace_file(root / "tree/a.sls", "a: 2\n"),
    "below": lambda root: (root / "tree/sub/b.sls").write_text("b: 22\n"),
    "added": lambda root: (root / "tree/sub/c.sls").touch(),
    "removed": lambda root: (root / "tree/a.sls").unlink(),
    "renamed": lambda root: (root / "tree/a.sls").rename(root / "tree/z.sls"),
    "behind a link": lambda root: (root / "outside.sls").write_text("o: 22\n"),
    "a single file": lambda root: replace_file(root / "minions.yml", "minions: {x: {}}\n"),
    "a file that was missing": lambda root: (root / "later.yml").touch(),
    "a folder that was missing": lambda root: add_folder(root / "later.d"),
    "the whole tree": lambda root: shutil.rmtree(root / "tree"),
}
NO_CHANGES: dict[str, Callable[[Path], object]] = {
    "git": lambda root: (root / "tree/sub/.git/index").touch(),
    "an empty folder": lambda root: (root / "tree/new").mkdir(),
    "another file": lambda root: (root / "other.yml").touch(),
    "read": lambda root: (root / "tree/a.sls").read_text(),
}


def watched(root: Path) -> Watcher:
    watcher = Watcher()
    names = ("tree", "tree/sub", "minions.yml", "later.yml", "later.d")
    watcher.watch((root / name for name in names), lambda path: path.is_relative_to(root))
    return watcher


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_is_seen_once(change: Callable[[Path], object], root: Path) -> None:
    watcher = watched(root)
    change(root)
    assert [watcher._look_again() for _ in range(3)] == [True, False, False]


@pytest.mark.parametrize("change", NO_CHANGES.values(), ids=NO_CHANGES)
def test_what_is_no_change_is_not_seen(change: Callable[[Path], object], root: Path) -> None:
    watcher = watched(root)
    change(root)
    assert not watcher._look_again()


def test_no_link_is_followed_out(root: Path) -> None:
    (root / "away/deep").mkdir(parents=True)
    (root / "tree/sub/out").symlink_to(root / "away")
    watcher = Watcher()
    watcher.watch([root / "tree"], lambda path: path.is_relative_to(root / "tree"))
    (root / "away/deep/new.sls").touch()
    (root / "outside.sls").write_text("o: 22\n")
    assert not watcher._look_again()
    listed = [path for path, *_ in watcher._states[root / "tree"]]
    assert not [path for path in listed if "deep" in path]
    watcher.watch([root / "tree/sub/out"], lambda path: path.is_relative_to(root / "tree"))
    assert watcher._states == {root / "tree/sub/out": frozenset()}


def test_what_comes_back_is_seen(root: Path) -> None:
    watcher = watched(root)
    shutil.move(root / "tree", root / "away")
    assert watcher._look_again()
    shutil.move(root / "away", root / "tree")
    assert watcher._look_again()
    os.utime(root / "tree/a.sls", ns=(0, 0))
    assert watcher._look_again()


def test_a_change_before_the_next_build_is_not_lost(root: Path) -> None:
    watcher = watched(root)
    (root / "tree/a.sls").write_text("a: 22\n")
    watcher.watch([root / "tree", root / "minions.yml"], lambda _: True)
    assert watcher._look_again()


def test_the_thread_tells_and_stops(root: Path) -> None:
    told = threading.Event()
    watcher = watched(root)
    watcher.start(told.set)
    time.sleep(0.1)
    assert not told.is_set()
    (root / "tree/a.sls").write_text("a: 22\n")
    assert told.wait(PATIENCE)
    watcher.stop()
    told.clear()
    (root / "tree/a.sls").write_text("a: 333\n")
    assert not told.wait(0.7)
