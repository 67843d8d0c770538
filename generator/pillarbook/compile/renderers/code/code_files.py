"""Gives code of the tree the files that it opens itself.

Code opens the paths of the master or of the working tree. While it runs, Python's functions that
open and list files get another path: the local one that `paths:` declares, and for a revision that
of a copy in a private folder. Values and messages keep the path that the code has, which is the
same on both sides of a comparison.

Programs, and modules that Python imports, are read from the working tree; ``record_opened`` notes
them.
"""

import builtins
import io
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, wraps
from pathlib import Path
from typing import Any

from pillarbook.compile.renderers.code.record_opened import (
    is_of_tree,
    note_opened,
    noting_nothing,
    noting_opened,
)
from pillarbook.roots.file_access import DISK, Files
from pillarbook.roots.private_folder import PrivateFolder, delete

LISTING = frozenset(("listdir", "scandir"))
"""Functions of ``os`` that list a folder."""
_ASKED = ("stat", "lstat", "access", "readlink")
_WRITING = frozenset("wax+")
_WRITING_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_FILES: "ContextVar[CodeFiles | None]" = ContextVar("files", default=None)


class CodeFiles:
    """The files that code of the tree opens; those of a revision are copied then.

    Args:
        files: The files, by the paths of the working tree.
        home: The top of the working tree; other files are read where they are.
        locate: Returns the local path for a path of the master.

    Raises:
        OSError: The temporary folder cannot be used.
    """

    def __init__(self, files: Files, home: Path, locate: Callable[[str], Path]) -> None:
        self._files = files
        self._home = files.resolve(home)
        self._locate = locate
        self._folder = None if files is DISK else PrivateFolder(delete)
        # The files of a revision do not change in a run.
        self._made: dict[Path, Path] = {}

    def close(self) -> None:
        """Remove the copies."""
        if self._folder is not None:
            self._folder.remove()

    @contextmanager
    def opening(self, noted: dict[str, None]) -> Iterator[None]:
        """Give code of the tree these files in this context, and note what it opens.

        Args:
            noted: Gets the full paths; see ``noting_opened``.
        """
        _wrap_functions()
        with noting_opened(noted, self._home):
            token = _FILES.set(self)
            try:
                yield
            finally:
                _FILES.reset(token)

    def find(self, path: str, *, lists: bool = False) -> str:
        """Return the path to open in place of another one, and note the file.

        Args:
            path: The path that code opens; there need be nothing.
            lists: Whether the code lists a folder, so that it needs all members.

        Raises:
            OSError: The revision cannot give the file.
        """
        located = str(self._locate(path)) if path.startswith("/") else path
        note_opened(located)
        with noting_nothing():
            return self._find(located, lists=lists)

    def _find(self, located: str, *, lists: bool) -> str:
        try:
            real = self._files.resolve(Path(located).absolute())
        except (OSError, RuntimeError, ValueError):
            return located  # a loop of links, or no path at all: Python says so
        is_of_git = real.is_relative_to(self._home / ".git")
        if self._folder is None or is_of_git or not real.is_relative_to(self._home):
            return located
        copy = self._copy(self._folder.path, real)
        if lists and self._files.is_dir(real):
            for name in self._files.names(real):
                self._copy(self._folder.path, real / name)
        return str(copy)

    def _copy(self, folder: Path, real: Path) -> Path:
        known = self._made.get(real)
        if known is not None:
            return known
        copy = self._made[real] = folder / real.relative_to(self._home)
        if self._files.is_dir(real):
            copy.mkdir(parents=True, exist_ok=True)
        elif self._files.is_file(real):
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(self._files.read(real))
        return copy


# Once: outside of `opening`, and for callers that are no code of the tree, the functions do
# what they always do.
@cache
def _wrap_functions() -> None:
    opens = _wrap(io.open, "file", _writes_mode)
    for module in (builtins, io):
        setattr(module, "open", opens)  # noqa: B010 (a type checker knows another signature)
    _replace(os, "open", _wrap(os.open, "path", _writes_flags))
    _replace(sqlite3, "connect", _wrap(sqlite3.connect, "database", _names_no_file))
    for name in (*LISTING, *_ASKED):
        _replace(os, name, _wrap(getattr(os, name), "path", _never, lists=name in LISTING))


def _replace(module: Any, name: str, wrapped: Any) -> None:
    for supported in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
        if getattr(module, name) in supported:
            supported.add(wrapped)
    setattr(module, name, wrapped)


def _wrap(
    function: Callable[..., Any],
    keyword: str,
    leaves: Callable[[tuple[Any, ...], dict[str, Any]], bool],
    *,
    lists: bool = False,
) -> Any:
    """Return a function that gives code of the tree another path; not for calls that it leaves."""

    @wraps(function)
    def opened(*given: Any, **named: Any) -> Any:
        files = _FILES.get()
        if files is None or not is_of_tree(sys._getframe(1)):  # noqa: SLF001 (the way to frames)
            return function(*given, **named)
        path = given[0] if given else named.get(keyword, os.curdir)
        is_path = isinstance(path, str | bytes | os.PathLike)
        if not is_path or named.get("dir_fd") is not None or leaves(given, named):
            return function(*given, **named)
        asked = os.fspath(path)
        copy: str | bytes = files.find(os.fsdecode(asked), lists=lists)
        copy = os.fsencode(copy) if isinstance(asked, bytes) else copy
        try:
            with noting_nothing():
                if given:
                    return function(copy, *given[1:], **named)
                return function(**{**named, keyword: copy})
        except OSError as error:
            if error.filename == copy:
                error.filename = asked  # the message is the same on both sides
            raise

    return opened


def _writes_mode(given: tuple[Any, ...], named: dict[str, Any]) -> bool:
    mode = given[1] if len(given) > 1 else named.get("mode", "r")
    return isinstance(mode, str) and not _WRITING.isdisjoint(mode)


def _writes_flags(given: tuple[Any, ...], named: dict[str, Any]) -> bool:
    flags = given[1] if len(given) > 1 else named.get("flags", 0)
    return isinstance(flags, int) and bool(flags & _WRITING_FLAGS)


def _names_no_file(given: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Say whether a database is in memory, or named by an address."""
    database = os.fsdecode(given[0] if given else named.get("database", ""))
    return database in ("", ":memory:") or bool(named.get("uri"))


def _never(_given: tuple[Any, ...], _named: dict[str, Any]) -> bool:
    return False
