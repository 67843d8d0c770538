"""The files that a run reads: those on disk, or those of a commit.

Declarations, roots and external pillars are all read through this, so that a fleet can be opened as
of a revision: each path is the same as on disk, and only the content differs.
"""

import errno
import fnmatch
import glob
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Protocol, TypeAlias

from pillarbook.roots.no_links import open_file

MayEnter: TypeAlias = Callable[[Path], bool]
"""Says whether a folder may be looked into, with its links followed."""
Walked = tuple[str, list[str], list[str]]
"""A folder, the names of its folders, and the names of everything else, as in ``os.walk``."""


class Files(Protocol):
    """Files and folders by their absolute paths."""

    def resolve(self, path: Path) -> Path:
        """Return a path with its links followed; parts of it may be missing.

        Raises:
            OSError: A loop of links.
            RuntimeError: A loop of links, as ``pathlib`` reports it.
            ValueError: A NUL in the name.
        """

    def is_file(self, path: Path) -> bool:
        """Say whether a path leads to a file."""

    def is_dir(self, path: Path) -> bool:
        """Say whether a path leads to a folder."""

    def exists(self, path: Path) -> bool:
        """Say whether a path leads to anything."""

    def is_link(self, path: Path) -> bool:
        """Say whether a path is itself a link."""

    def read(self, path: Path, most: int = -1, *, follow: bool = True) -> bytes:
        """Return a file's content, or its first ``most`` bytes.

        Links are not followed if somebody may have put one on the path since it was resolved and
        allowed.

        Raises:
            OSError: It is missing, is a folder, or cannot be read; or a link is on the path.
        """

    def names(self, folder: Path) -> list[str]:
        """Return the names in a folder, in no particular order.

        Raises:
            OSError: It is missing, is no folder, or cannot be read.
        """

    def walk(
        self,
        folder: Path,
        *,
        followlinks: bool = False,
        onerror: Callable[[OSError], object] | None = None,
    ) -> Iterator[Walked]:
        """Yield a folder and all below it, like ``os.walk``; names may be removed from a list.

        Yields nothing for a missing folder. ``onerror`` gets the error of each folder that
        cannot be listed.
        """

    def glob(self, pattern: str, folder: Path, may_enter: MayEnter) -> list[str]:
        """Return the paths below a folder that match a relative pattern, without hidden names.

        Folders for which ``may_enter`` is false are not looked into.
        """
        return glob_in(self, pattern, folder, may_enter)

    def repository_of(self, folder: Path) -> Path | None:
        """Return the top of the repository that has a resolved folder; None if there is none."""


class DiskFiles(Files):
    """The files on disk."""

    def resolve(self, path: Path) -> Path:
        """Return a path with its links followed."""
        return path.resolve()

    def is_file(self, path: Path) -> bool:
        """Say whether a path leads to a file."""
        return path.is_file()

    def is_dir(self, path: Path) -> bool:
        """Say whether a path leads to a folder."""
        return path.is_dir()

    def exists(self, path: Path) -> bool:
        """Say whether a path leads to anything."""
        return os.path.exists(path)  # noqa: PTH110 (raises nothing)

    def is_link(self, path: Path) -> bool:
        """Say whether a path is itself a link."""
        return os.path.islink(path)  # noqa: PTH114 (as above)

    def read(self, path: Path, most: int = -1, *, follow: bool = True) -> bytes:
        """Return a file's content, or its first ``most`` bytes."""
        if not follow:
            with os.fdopen(open_file(path), "rb") as file:
                return _read_open(file, most)
        with open(path, "rb", opener=_open_regular) as file:
            return _read_open(file, most)

    def names(self, folder: Path) -> list[str]:
        """Return the names in a folder."""
        return os.listdir(folder)  # noqa: PTH208 (names)

    def walk(
        self,
        folder: Path,
        *,
        followlinks: bool = False,
        onerror: Callable[[OSError], object] | None = None,
    ) -> Iterator[Walked]:
        """Yield a folder and all below it."""
        return os.walk(folder, followlinks=followlinks, onerror=onerror)

    def repository_of(self, folder: Path) -> Path | None:
        """Return the nearest folder upwards that has ``.git``, a folder or a file."""
        for parent in (folder, *folder.parents):
            if (parent / ".git").exists():
                return parent
        return None


def _read_open(file: BinaryIO, most: int) -> bytes:
    size = os.fstat(file.fileno()).st_size
    if not 0 <= size < most:
        return file.read(most)
    # A buffer of the largest permitted size would take longer than to read a small file. A pipe has
    # no size, and a file may grow: the rest is read after that.
    content = file.read(size + 1)
    return content + file.read(most - len(content)) if len(content) > size else content


def _open_regular(path: str, flags: int) -> int:
    """Open a file; refuse a pipe of the tree, because reading it might never end.

    A pipe that a shell passes as a file (``/dev/fd/63``) is read to its end.
    """
    is_waited = is_given(path)
    descriptor = os.open(path, flags if is_waited else flags | os.O_NONBLOCK)
    kind = os.fstat(descriptor).st_mode
    if is_waited or stat.S_ISREG(kind):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(kind):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    raise OSError(errno.EINVAL, "it is no regular file", path)


def is_given(path: Path | str) -> bool:
    """Say whether a path is a device or a pipe that a shell passes as a file."""
    return os.path.normpath(path).startswith("/dev/")


DISK: Files = DiskFiles()
"""The files on disk; it has no state."""


def walk_allowed(files: Files, folder: Path, allowed: MayEnter) -> Iterator[Walked]:
    """Yield a folder and all below it, through links whose targets are allowed.

    Other links to folders are among the names of folders, but are not looked into, and neither are
    links that lead to a folder that came before, which may be a ring.
    """
    seen: set[Path] = set()
    for here, below, names in files.walk(folder, followlinks=True):
        yield here, [*below], names
        seen.add(files.resolve(Path(here)))
        below[:] = [
            name
            for name in below
            if (real := files.resolve(Path(here, name))) not in seen and allowed(real)
        ]


def glob_in(files: Files, pattern: str, folder: Path, may_enter: MayEnter) -> list[str]:
    """Return the result of ``glob.glob`` below a folder, for files that may not be on disk."""
    found = [""]
    for part in pattern.split("/"):
        found = [
            fit
            for above in found
            if may_enter(folder / above)
            for fit in _fit(files, part, above, folder)
        ]
    return [one for one in found if one]


def _fit(files: Files, part: str, above: str, folder: Path) -> Iterator[str]:
    """Yield the paths that one part of a pattern matches, each with the path above it."""
    if part == "":
        # An empty part at the end asks for a folder; elsewhere (two slashes) it means nothing.
        if not above or files.is_dir(folder / above):
            yield f"{above}/" if above else ""
        return
    lead = above if not above or above.endswith("/") else f"{above}/"
    if not glob.has_magic(part):
        place = folder / f"{lead}{part}"
        if files.exists(place) or files.is_link(place):
            yield f"{lead}{part}"
        return
    if not files.is_dir(folder / above):
        return
    for name in fnmatch.filter(files.names(folder / above), part):
        if part.startswith(".") or not name.startswith("."):
            yield f"{lead}{name}"
