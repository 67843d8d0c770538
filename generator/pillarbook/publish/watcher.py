"""Looks at files again and again, and says when one of them is another.

Folders may go and come back, as when a branch is checked out, and files may not be there yet: a
missing one is a state like any other. A server's own watch would end with what it watches.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

SECONDS = 0.3
"""How long it rests between two looks."""
SHARE = 5
"""How many times as long as a look takes it rests at least: large trees take their time."""

_State: TypeAlias = frozenset[tuple[str, int, int, int]]
"""Path, time of change, size and number of every file."""
_Allows: TypeAlias = Callable[[Path], bool]
"""Says whether a folder may be listed, or a link's target looked at; it is resolved already."""


class Watcher:
    """Watches files and folders from a thread of its own."""

    def __init__(self) -> None:
        self._states: dict[Path, _State] = {}
        self._allows: _Allows = lambda _: False
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def watch(self, paths: Iterable[Path], allows: Callable[[Path], bool]) -> None:
        """Watch these files and folders from now on, and no others.

        Those that were watched before count from when they were looked at last.

        Args:
            paths: The files and folders.
            allows: Says whether a resolved path may be looked at; no link is followed out of that.
        """
        wanted = _outermost(paths)
        with self._lock:
            self._allows = allows
            self._states = {path: self._states.get(path) or _look(path, allows) for path in wanted}

    def start(self, changed: Callable[[], None]) -> None:
        """Begin to look; ``changed`` is called in the thread that does."""
        self._thread = threading.Thread(target=self._run, args=(changed,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
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
    """Return the paths that are in no other of them."""
    kept: set[Path] = set()
    for path in sorted(set(paths), key=lambda path: len(path.parts)):
        if not any(parent in kept for parent in path.parents):
            kept.add(path)
    return kept


def _look(path: Path, allows: _Allows) -> _State:
    if path.is_dir():
        return frozenset(_walk(str(path), set(), allows))
    try:
        return frozenset({_describe(str(path), path.stat())})
    except OSError:
        return frozenset()


def _walk(folder: str, seen: set[str], allows: _Allows) -> Iterator[tuple[str, int, int, int]]:
    """Yield all files below a folder; links are followed, but not in circles and not out."""
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
