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
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, wraps
from pathlib import Path
from typing import Any, Self

from pillarbook.compile.renderers.code.record_opened import (
    is_of_tree,
    note_opened,
    note_unfollowed,
    noting_opened,
)
from pillarbook.roots.file_access import DISK, Files
from pillarbook.roots.private_folder import PrivateFolder, delete

LISTING = frozenset(("listdir", "scandir"))
"""Functions of ``os`` that list a folder."""
_ASKED = ("stat", "lstat", "access", "readlink")
_OF_LINKS = ("lstat", "readlink")
_WRITING = frozenset("wax+")
_WRITING_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_FILES: "ContextVar[CodeFiles | None]" = ContextVar("files", default=None)


class CodeFiles:
    """The files that code of the tree opens; those of a revision are copied then.

    ``home`` is the top of the working tree; other files are read where they are. ``locate`` returns
    the local path for a path of the master.

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

        ``noted`` gets the full paths; see ``noting_opened``.
        """
        _wrap_functions()
        with noting_opened(noted, self._home, self._folder.path if self._folder else None):
            token = _FILES.set(self)
            try:
                yield
            finally:
                _FILES.reset(token)

    def find(self, path: str, *, lists: bool = False, follows: bool = True) -> str:
        """Return the path to open in place of another one, and note the file.

        If the code ``lists`` a folder, it needs all members. If it ``follows``, it asks for what a
        link leads to, and not for the link.

        Raises:
            OSError: The revision cannot give the file.
        """
        if not path:
            return path  # not the current folder: there is nothing
        located = str(self._locate(path)) if path.startswith("/") else path
        asked = self._original(Path(located).absolute())
        note_opened(str(asked))
        try:
            real = self._resolve(asked, follows=follows)
        except (OSError, RuntimeError, ValueError):
            return located  # a loop of links, or no path at all: Python says so
        if self._folder is None or not self._is_copied(real):
            return located
        if real != Path(os.path.normpath(asked)):
            note_opened(str(real))
        copy = self._copy(self._folder.path, real)
        if lists and self._files.is_dir(real):
            for name in self._files.names(real):
                self._copy(self._folder.path, real / name)
            if real == self._home and os.path.lexists(real / ".git"):
                (copy / ".git").mkdir(exist_ok=True)  # only its name; see `_is_copied`
        return str(copy)

    def find_below(self, folder: int, path: str, *, lists: bool = False) -> None:
        """Make the copy for a path relative to an open folder."""
        try:
            above = os.readlink(f"/proc/self/fd/{folder}")  # noqa: PTH115 (no path of the tree)
        except OSError:
            note_unfollowed()
        else:
            self.find(os.path.join(above, path), lists=lists)  # noqa: PTH118 (may be absolute)

    def _original(self, path: Path) -> Path:
        """Return the path of the working tree for that of a copy."""
        folder = self._folder
        if folder is None or not path.is_relative_to(folder.path):
            return path
        return self._home / path.relative_to(folder.path)

    def _resolve(self, path: Path, *, follows: bool) -> Path:
        if follows or path.name in ("", ".."):
            return self._files.resolve(path)
        return self._files.resolve(path.parent) / path.name

    def _is_copied(self, real: Path) -> bool:
        return real.is_relative_to(self._home) and not real.is_relative_to(self._home / ".git")

    def _copy(self, folder: Path, real: Path) -> Path:
        known = self._made.get(real)
        if known is not None:
            return known
        copy = self._made[real] = folder / real.relative_to(self._home)
        if self._files.is_link(real):
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.symlink_to(self._copy_target(folder, real))
        elif self._files.is_dir(real):
            copy.mkdir(parents=True, exist_ok=True)
        elif self._files.is_file(real):
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(self._files.read(real))
        return copy

    def _copy_target(self, folder: Path, link: Path) -> str:
        """Return the text of a link's copy, and copy what it leads to."""
        try:
            target = self._files.resolve(link)
        except (OSError, RuntimeError):
            return link.name  # a loop
        if not self._is_copied(target):
            return str(target)
        self._copy(folder, target)
        return os.path.relpath(target, link.parent)


# Once: outside of `opening`, and for callers that are no code of the tree, the functions do
# what they always do.
@cache
def _wrap_functions() -> None:
    opens = _wrap(io.open, "file", _writes_mode)
    for module in (builtins, io):
        setattr(module, "open", opens)  # noqa: B010 (a type checker knows another signature)
    _replace(os, "open", _wrap(os.open, "path", _writes_flags))
    _replace(sqlite3, "connect", _wrap(sqlite3.connect, "database", _names_no_file))
    starts = "_start_new_thread"  # later versions of Python tell audit hooks
    if hasattr(threading, starts):
        setattr(threading, starts, _note_thread(getattr(threading, starts)))
    for name in (*LISTING, *_ASKED):
        _replace(os, name, _wrap(getattr(os, name), "path", lambda *_: False))


def _replace(module: Any, name: str, wrapped: Any) -> None:
    for supported in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
        if getattr(module, name) in supported:
            supported.add(wrapped)
    setattr(module, name, wrapped)


def _wrap(
    function: Callable[..., Any],
    keyword: str,
    leaves: Callable[[tuple[Any, ...], dict[str, Any]], bool],
) -> Any:
    """Return a function that gives code of the tree another path; not for calls that it leaves."""
    lists, links = function.__name__ in LISTING, function.__name__ in _OF_LINKS

    @wraps(function)
    def opened(*given: Any, **named: Any) -> Any:
        files = _FILES.get()
        if files is None or not is_of_tree(sys._getframe(1)):  # noqa: SLF001 (the way to frames)
            return function(*given, **named)
        path = given[0] if given else named.get(keyword)
        path = os.curdir if path is None and lists else path
        above = named.get("dir_fd") if not isinstance(path, int) or not lists else path
        if isinstance(above, int):
            below = "" if path is above else path
            if isinstance(below, str | bytes | os.PathLike):
                files.find_below(above, os.fsdecode(below), lists=lists)
            return _call_unheard(function, given, named)
        if not isinstance(path, str | bytes | os.PathLike) or leaves(given, named):
            return function(*given, **named)
        asked = os.fspath(path)
        follows = not links and bool(named.get("follow_symlinks", True))
        copy: str | bytes = files.find(os.fsdecode(asked), lists=lists, follows=follows)
        copy = os.fsencode(copy) if isinstance(asked, bytes) else copy
        try:
            result = (
                function(copy, *given[1:], **named)
                if given
                else function(**{**named, keyword: copy})
            )
        except OSError as error:
            if error.filename == copy:
                error.filename = asked  # the message is the same on both sides
            raise
        return name_as_asked(result, asked) if copy != asked else result

    return opened


def _note_thread(function: Callable[..., Any]) -> Any:
    """Return a function that also notes that code of the tree starts a thread."""

    @wraps(function)
    def started(*given: Any, **named: Any) -> Any:
        if is_of_tree(sys._getframe(1)):  # noqa: SLF001 (the way to frames)
            note_unfollowed()
        return function(*given, **named)

    return started


# One more frame of this module: the audit hook would take the path for one in the current folder.
def _call_unheard(
    function: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any]
) -> Any:
    return function(*given, **named)


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


def name_as_asked(result: Any, asked: str | bytes) -> Any:
    """Return what a function of Python gave for a copy, with the path that the code knows."""
    if isinstance(result, io.IOBase):
        raw: Any = getattr(result, "buffer", result)
        getattr(raw, "raw", raw).name = asked
    elif isinstance(result, _SCANNED):
        return _Members(result, asked)
    return result


class _Member:
    """A member of a folder, as ``os.DirEntry``."""

    def __init__(self, member: os.DirEntry[Any], folder: str | bytes) -> None:
        self._member = member
        self.path: Any = os.path.join(folder, member.name)  # noqa: PTH118 (may be bytes)
        """Its path below the folder that was asked for."""

    def __fspath__(self) -> Any:
        return self.path

    def __getattr__(self, name: str) -> Any:
        return getattr(self._member, name)


class _Members:
    """The members of a folder, as ``os.scandir`` gives them."""

    def __init__(self, scanned: Any, folder: str | bytes) -> None:
        self._scanned = scanned
        self._folder = folder

    def __iter__(self) -> Iterator[_Member]:
        return self

    def __next__(self) -> _Member:
        return _Member(next(self._scanned), self._folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the folder."""
        self._scanned.close()


with os.scandir() as _scanned:
    _SCANNED: type[Any] = type(_scanned)
