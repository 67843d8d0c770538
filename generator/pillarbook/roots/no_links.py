"""Opens the target of a path without following links, so that nobody can exchange the target.

First the links of the path are read and followed here, so that a caller can check the target. Then
the target is opened folder by folder, and a link on that way is an error. So a link that somebody
puts there between the check and the opening is never followed.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

GIT = ".git"
SITE_MARK = ".pillarbook-site"
"""The file that marks a site that pillarbook wrote."""
# Links may form a ring; the kernel has the same limit.
MAX_LINKS = 40
"""The most links of one path, as on Linux."""
# O_PATH needs no permission to list a folder, which the parent of a home folder may not give.
_FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
"""Without O_NONBLOCK, opening a pipe would wait for a writer."""


@dataclass(frozen=True, slots=True)
class Followed:
    """The target of a path."""

    real: Path
    """The path without links; it need not exist."""
    links: tuple[Path, ...]
    """The links on the way, each in a folder without links."""


def follow_path(path: Path) -> Followed:
    """Return the target of a path; each link is read once.

    Raises:
        OSError: A loop of links.
        ValueError: A NUL in the name.
    """
    at = Path("/")
    links: list[Path] = []
    waiting = [*reversed(path.absolute().parts[1:])]
    while waiting:
        name = waiting.pop()
        if name == "..":
            at = at.parent
            continue
        at = at / name
        try:
            leads = at.readlink()
        except OSError:  # no link, or missing
            continue
        links.append(at)
        if len(links) > MAX_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
        at = Path("/") if leads.is_absolute() else at.parent
        waiting += reversed(leads.parts[1:] if leads.is_absolute() else leads.parts)
    return Followed(at, tuple(links))


def is_inside(real: Path, folder: Path) -> bool:
    """Say whether a path without links is in a folder, and not in git's own folder there."""
    return real.is_relative_to(folder) and GIT not in real.relative_to(folder).parts


@contextmanager
def open_folder(real: Path, *, make: bool = False) -> Iterator[int]:
    """Yield a folder, opened without following a link; ``make`` creates missing folders.

    The path is absolute and without links.

    Raises:
        OSError: It is missing, or a link or a file is on the way.
    """
    folder = os.open("/", _FOLDER)
    try:
        for name in real.parts[1:]:
            inner = _open_inner(name, folder, make=make)
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _open_inner(name: str, folder: int, *, make: bool) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            raise
        with suppress(FileExistsError):  # another command has just made it
            os.mkdir(name, dir_fd=folder)
        return os.open(name, _FOLDER, dir_fd=folder)


def path_of(folder: int, real: Path) -> Path:
    """Return a path that leads to an open folder, even if its name leads elsewhere by now.

    For programs that take no descriptor, such as MkDocs; valid while the descriptor is open.
    Without ``/proc`` it is the folder's plain path.
    """
    held = Path(f"{_held()}{folder}")
    return held if held.exists() else real


def is_held(path: str) -> bool:
    """Say whether a path begins with an open folder, as ``path_of`` returns it."""
    return path.startswith(_held())


def _held() -> str:
    return f"/proc/{os.getpid()}/fd/"


class NotRegularError(OSError):
    """A pipe, a socket or a device where a file is needed."""


def open_file(real: Path) -> int:
    """Return a descriptor of a regular file, opened for reading without following a link.

    The path is absolute and without links.

    Raises:
        NotRegularError: It is no file and no folder.
        OSError: It is a folder or missing, or a link is on the way.
    """
    with open_folder(real.parent) as folder:
        try:
            file = os.open(real.name, _FILE, dir_fd=folder)
        except OSError as error:
            if error.errno == errno.ENXIO:  # a socket
                raise _not_regular(real) from error
            raise
    kind = os.fstat(file).st_mode
    if stat.S_ISREG(kind):
        return file
    os.close(file)
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(real))
    raise _not_regular(real)


def _not_regular(real: Path) -> NotRegularError:
    return NotRegularError(errno.EINVAL, "it is no regular file", str(real))
