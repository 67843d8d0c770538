"""Opens what a path was found to lead to, and nothing that somebody has put there since.

Links are followed here, by reading them, so that a caller can test where they lead; then the
result is opened folder by folder, and a link on that way is an error. A link that is exchanged
between the test and the opening is so never followed.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

GIT = ".git"
# Links may form a ring; the kernel ends it at the same number.
MAX_LINKS = 40
"""So many links may one path lead through, as on Linux."""
# O_PATH asks for no right to list a folder: a home's parent may have none.
_FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
"""Without O_NONBLOCK opening a pipe would wait for somebody who writes into it."""


@dataclass(frozen=True, slots=True)
class Followed:
    """Where a path leads."""

    real: Path
    """The path without links; it need not be there."""
    links: tuple[Path, ...]
    """The links on the way, each in a folder without links."""


def follow_path(path: Path) -> Followed:
    """Return where a path leads; each link is read once.

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
        except OSError:  # no link, or not there
            continue
        links.append(at)
        if len(links) > MAX_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
        at = Path("/") if leads.is_absolute() else at.parent
        waiting += reversed(leads.parts[1:] if leads.is_absolute() else leads.parts)
    return Followed(at, tuple(links))


def is_inside(real: Path, folder: Path) -> bool:
    """Say whether a path without links is in a folder, and not in what git keeps there."""
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
        os.mkdir(name, dir_fd=folder)
        return os.open(name, _FOLDER, dir_fd=folder)


def path_of(folder: int, real: Path) -> Path:
    """Return a path that leads to an open folder, even if its name leads elsewhere by now.

    For what takes no descriptor, such as MkDocs; valid while the descriptor is open. Without
    ``/proc`` it is the folder's plain path.
    """
    held = Path(f"{_held()}{folder}")
    return held if held.exists() else real


def is_held(path: str) -> bool:
    """Say whether a path leads through a folder that is open, as ``path_of`` gives it."""
    return path.startswith(_held())


def _held() -> str:
    return f"/proc/{os.getpid()}/fd/"


class NotRegularError(OSError):
    """A pipe, a socket, a device or a folder where a file is needed."""


def open_file(real: Path) -> int:
    """Return a descriptor of a regular file, opened for reading without following a link.

    The path is absolute and without links.

    Raises:
        NotRegularError: It is no file.
        OSError: It is missing, or a link is on the way.
    """
    with open_folder(real.parent) as folder:
        try:
            file = os.open(real.name, _FILE, dir_fd=folder)
        except OSError as error:
            if error.errno == errno.ENXIO:  # a socket
                raise _not_regular(real) from error
            raise
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise _not_regular(real)
    return file


def _not_regular(real: Path) -> NotRegularError:
    return NotRegularError(errno.EINVAL, "it is no regular file", str(real))
