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
_FILES = frozenset(("open", "os.listdir", "os.scandir", "sqlite3.connect"))
_PROGRAMS = frozenset(("os.exec", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen"))
_RUNNING = (
    "pillarbook.compile.ext_pillars.code",
    "pillarbook.compile.ext_pillars.commands",
    "pillarbook.compile.ext_pillars.interface",
    "pillarbook.compile.renderers.code.",
)
"""Modules that call code of the tree."""
_WRAPPER = ("pillarbook.compile.renderers.code.code_files", "opened")
"""The function between code of the tree and Python's own, once a session gave it files."""
_IMPORTING = "importlib"
_NOT_OWN = (_IMPORTING, "linecache")
"""Modules that read code: for an import, and for lines in a traceback."""
_PYTHON = tuple({sys.prefix, sys.base_prefix, str(Path(__file__).parents[3])})
"""Folders of installed code, which no revision of a tree has."""
_Noted = tuple[dict[str, None], Path]
_NOTED: ContextVar[_Noted | None] = ContextVar("noted", default=None)
_GetNoted = Callable[[], _Noted | None]


@contextmanager
def noting_opened(noted: dict[str, None], top: Path) -> Iterator[None]:
    """Note the files that code of the tree opens in this context.

    Args:
        noted: Gets the full paths; ``ANYTHING`` for the files of a program, ``IMPORTED`` for
            imported files of the tree.
        top: The top of the repository; other imported files are not noted.
    """
    token = _NOTED.set((noted, top))
    try:
        yield
    finally:
        _NOTED.reset(token)


@contextmanager
def noting_nothing() -> Iterator[None]:
    """Open files in this context without noting them."""
    token = _NOTED.set(None)
    try:
        yield
    finally:
        _NOTED.reset(token)


def note_opened(path: str) -> None:
    """Note a file that code of the tree opens."""
    noted = _NOTED.get()
    if noted is not None:
        noted[0][str(Path(path).absolute())] = None


# An audit hook cannot be removed, so a second call must not add a second one.
@cache
def listen() -> None:
    """Add the audit hook once; it does nothing outside of ``noting_opened``."""
    sys.addaudithook(_hear)


# A default outlives the module: Python opens files at its end, when module variables are gone.
def _hear(event: str, arguments: tuple[Any, ...], get_noted: _GetNoted = _NOTED.get) -> None:
    noted = get_noted()
    if noted is None or not (event in _FILES or event in _PROGRAMS):
        return
    frame = sys._getframe(1)  # noqa: SLF001 (the way to frames)
    path = arguments[0] if arguments and arguments[0] is not None else os.curdir
    if is_of_tree(frame):
        if event in _PROGRAMS:
            noted[0][ANYTHING] = None
        elif isinstance(path, str | bytes | os.PathLike):
            note_opened(os.fsdecode(path))
    elif event == "open" and _imports(frame, path, noted[1]):
        noted[0][IMPORTED] = None


def is_of_tree(frame: FrameType | None) -> bool:
    """Say whether code of the tree opened a file, and not a function of Salt that it called."""
    is_own = True  # Python itself reads a file that it cannot compile, for its message
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name.startswith(_NOT_OWN):
            return False
        if (name, frame.f_code.co_name) == _WRAPPER:
            frame = frame.f_back
            continue
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
