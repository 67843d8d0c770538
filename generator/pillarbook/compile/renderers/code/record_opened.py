"""Records the files that code of the tree opens itself, outside of the roots.

It opens them on disk for every revision, so a comparison must report this. Python's audit hooks
report each file; the frames show whether code of the tree opened it.

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
"""Replaces the files that another program may open."""
_FILES = frozenset(("open", "os.listdir", "os.scandir", "sqlite3.connect"))
_PROGRAMS = frozenset(("os.exec", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen"))
_RUNNING = (
    "pillarbook.compile.ext_pillars.code",
    "pillarbook.compile.ext_pillars.commands",
    "pillarbook.compile.ext_pillars.interface",
    "pillarbook.compile.renderers.code.",
)
"""Modules that call code of the tree."""
_NOT_OWN = ("importlib", "linecache")
"""Modules that read code: for an import, and for lines in a traceback."""
_NOTED: ContextVar[dict[str, None] | None] = ContextVar("noted", default=None)
_GetNoted = Callable[[], dict[str, None] | None]


@contextmanager
def noting_opened(noted: dict[str, None]) -> Iterator[None]:
    """Note the files that code of the tree opens in this context.

    Args:
        noted: Gets the full paths; ``ANYTHING`` if the code starts a program.
    """
    token = _NOTED.set(noted)
    try:
        yield
    finally:
        _NOTED.reset(token)


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
    if not _is_of_tree(sys._getframe(1)):  # noqa: SLF001 (the way to frames)
        return
    if event in _PROGRAMS:
        noted[ANYTHING] = None
        return
    path = arguments[0] if arguments[0] is not None else os.curdir
    if isinstance(path, str | bytes | os.PathLike):
        noted[str(Path(os.fsdecode(path)).absolute())] = None


def _is_of_tree(frame: FrameType | None) -> bool:
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
