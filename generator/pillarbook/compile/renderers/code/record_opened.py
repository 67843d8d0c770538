"""Records the files that code of the tree opens itself, and whether it runs other code.

Programs, and modules that Python imports, are read from disk for every revision, so a comparison
must report this. Python's audit hooks report each file; the frames show who opened it.

Source: Python's documentation, "Audit events table".
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

RULE = "opens-files"
"""The rule for code that opens files."""
ANYTHING = ""
"""Replaces the files that other programs may open."""
IMPORTED = "\0"
"""Replaces the files of the tree that Python imports."""
UNFOLLOWED = "\1"
"""Replaces the files that nobody hears of, and those of the tree in place of their copies."""
_FILES = frozenset(("open", "os.listdir", "os.scandir", "sqlite3.connect"))
_PROGRAMS = frozenset(("os.exec", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen"))
_UNHEARD = frozenset(("os.fork", "os.forkpty", "_thread.start_new_thread", "ctypes.dlopen"))
"""A thread has another context, a copy of the process its own notes; a library tells nothing."""
_HEARD = _FILES | _PROGRAMS | _UNHEARD
_RUNNING = (
    "pillarbook.compile.ext_pillars.code",
    "pillarbook.compile.ext_pillars.commands",
    "pillarbook.compile.ext_pillars.interface",
    "pillarbook.compile.renderers.code.",
)
"""Modules that call code of the tree."""
_IMPORTING = "importlib"
_WRAPPING = "pillarbook.compile.renderers.code.code_files"
"""The module that puts functions in place of Python's."""
_NOT_OWN = (_IMPORTING, "linecache", _WRAPPING)
"""Modules that read code: for an import, and for lines in a traceback; and who makes copies."""
_PYTHON = tuple({sys.prefix, sys.base_prefix, str(Path(__file__).parents[3])})
"""Folders of installed code, which no revision of a tree has."""
_NO_FILE = ("", ":memory:")
"""Names of databases in memory."""
_Noted = tuple[dict[str, None], Path, Path | None]
_NOTED: ContextVar[_Noted | None] = ContextVar("noted", default=None)
_GetNoted = Callable[[], _Noted | None]


@contextmanager
def noting_opened(noted: dict[str, None], top: Path, copies: Path | None = None) -> Iterator[None]:
    """Note the files that code of the tree opens in this context.

    ``noted`` gets the full paths; ``ANYTHING``, ``IMPORTED`` or ``UNFOLLOWED`` for files without a
    path. Imported files outside of ``top``, that of the repository, are not noted. ``copies`` is
    the folder with copies of a revision's files, which has all that the code should open; None if
    it opens the files on disk.
    """
    token = _NOTED.set((noted, top, copies))
    try:
        yield
    finally:
        _NOTED.reset(token)


def note_opened(path: str) -> None:
    """Note a file that code of the tree opens."""
    noted = _NOTED.get()
    if noted is not None and "\0" not in path:  # no file has such a name
        noted[0][str(Path(path).absolute())] = None


def note_unfollowed() -> None:
    """Note that code of the tree may have opened a file that nobody hears of."""
    noted = _NOTED.get()
    if noted is not None:
        noted[0][UNFOLLOWED] = None


# An audit hook cannot be removed, so a second call must not add a second one.
@cache
def listen() -> None:
    """Add the audit hook once; it does nothing outside of ``noting_opened``."""
    sys.addaudithook(_hear)


# A default outlives the module: Python opens files at its end, when module variables are gone.
def _hear(event: str, arguments: tuple[Any, ...], get_noted: _GetNoted = _NOTED.get) -> None:
    noted = get_noted()
    if noted is None or event not in _HEARD:
        return
    frame = sys._getframe(1)  # noqa: SLF001 (the way to frames)
    if frame.f_globals.get("__name__") == _WRAPPING and frame.f_back is not None:
        frame = frame.f_back
    path = arguments[0] if arguments and arguments[0] is not None else os.curdir
    if is_of_tree(frame):
        if event in _PROGRAMS:
            noted[0][ANYTHING] = None
        elif event in _UNHEARD:
            note_unfollowed()
        elif isinstance(path, str | bytes | os.PathLike):
            _note_heard(os.fsdecode(path), event, noted)
    elif event == "open" and _imports(frame, path, noted[1]):
        noted[0][IMPORTED] = None


def _note_heard(path: str, event: str, noted: _Noted) -> None:
    """Note a path, unless it is a copy, which ``CodeFiles`` has noted."""
    _, top, copies = noted
    is_database = event == "sqlite3.connect"
    full = Path(os.path.abspath(path))  # noqa: PTH100 (a path may have `..`)
    if (is_database and path in _NO_FILE) or (copies and full.is_relative_to(copies)):
        return
    is_passed = full.is_relative_to(top) and not full.is_relative_to(top / ".git")
    if (is_database and path.startswith("file:")) or (copies and is_passed):
        note_unfollowed()
    else:
        note_opened(path)


def is_of_tree(frame: FrameType | None) -> bool:
    """Say whether code of the tree opened a file, and not a function of Salt that it called."""
    is_own = True  # Python itself reads a file that it cannot compile, for its message
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name.startswith(_NOT_OWN):
            return False
        if name.startswith("pillarbook."):
            return name.startswith(_RUNNING) and not is_own
        frame, is_own = frame.f_back, False
    return False


def _imports(frame: FrameType | None, path: Any, top: Path) -> bool:
    """Say whether code of the tree imports a file of the tree."""
    if not isinstance(path, str) or path.startswith(_PYTHON):
        return False
    if not Path(path).absolute().is_relative_to(top):
        return False
    while frame is not None and str(frame.f_globals.get("__name__")).startswith(_IMPORTING):
        frame = frame.f_back
    return is_of_tree(frame)
