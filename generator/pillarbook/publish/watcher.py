"""Checks files again and again, and reports when one of them has changed.

Folders may disappear and return, as when a branch is checked out, and files may not exist yet: a
missing one is a state like any other. The watch of MkDocs' server would end with the folder.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

SECONDS = 0.3
"""The least seconds between two checks."""
SHARE = 5
"""The least pause as a multiple of the time of a check, because large trees take long."""

_State: TypeAlias = frozenset[tuple[str, int, int, int]]
"""Path, time of change, size and inode of every file."""
_Allows: TypeAlias = Callable[[Path], bool]
"""Says whether a resolved folder may be listed, or the target of a link be read."""


class Watcher:
    """Watches files and folders from its own thread."""

    def __init__(self) -> None:
        self._states: dict[Path, _State] = {}
        self._allows: _Allows = lambda _: False
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def watch(self, paths: Iterable[Path], allows: Callable[[Path], bool]) -> None:
        """Watch these files and folders from now on, and no others.

        Changes of files that were watched before count since their last check.

        ``allows`` says whether a resolved path may be checked; other links are not followed.
        """
        wanted = _outermost(paths)
        with self._lock:
            self._allows = allows
            self._states = {path: self._states.get(path) or _look(path, allows) for path in wanted}

    def start(self, changed: Callable[[], None]) -> None:
        """Begin to check; ``changed`` is called in the thread that checks."""
        self._thread = threading.Thread(target=self._run, args=(changed,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the checks."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self, changed: Callable[[], None]) -> None:
        rest = SECONDS
        while not self._stopping.wait(rest):
            begin = time.monotonic()
            if self._look_again():
                changed()
            rest = max(SECONDS, SHARE * (time.monotonic() - begin))

    def _look_again(self) -> bool:
        with self._lock:
            before = self._states
            now = {path: _look(path, self._allows) for path in before}
            self._states = now
        return now != before


def _outermost(paths: Iterable[Path]) -> set[Path]:
    """Return the paths that are not inside another one."""
    kept: set[Path] = set()
    for path in sorted(set(paths), key=lambda path: len(path.parts)):
        if not any(parent in kept for parent in path.parents):
            kept.add(path)
    return kept


def list_files(path: Path, allows: _Allows) -> Iterator[str]:
    """Yield the files below a folder, or a file itself, in any order; none that is missing."""
    yield from (file for file, *_ in _look(path, allows))


def _look(path: Path, allows: _Allows) -> _State:
    if path.is_dir():
        return frozenset(_walk(str(path), set(), allows))
    try:
        return frozenset({_describe(str(path), path.stat())})
    except OSError:
        return frozenset()


def _walk(folder: str, seen: set[str], allows: _Allows) -> Iterator[tuple[str, int, int, int]]:
    """Yield all files below a folder; follow links, but not in cycles or to forbidden paths."""
    real = os.path.realpath(folder)
    if real in seen or not allows(Path(real)):
        return
    seen.add(real)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not entry.is_dir():
                follow = not entry.is_symlink() or allows(Path(os.path.realpath(entry.path)))
                with suppress(OSError):
                    yield _describe(entry.path, entry.stat(follow_symlinks=follow))
            elif entry.name != ".git":
                yield from _walk(entry.path, seen, allows)


def _describe(path: str, found: os.stat_result) -> tuple[str, int, int, int]:
    return path, found.st_mtime_ns, found.st_size, found.st_ino
