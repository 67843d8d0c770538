"""Finds git's own files of a repository.

A repository that nobody trusts may lead to other folders: by links, by a file instead of the folder
``.git``, by ``commondir``, or by ``objects/info/alternates``. So each of these is followed as
libgit2 does it, and its target has to be in a folder that may be read. The configuration is not
read here, because it may include any file of the machine.
"""

import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from pillarbook.diagnostics import PillarbookError

# Object databases may borrow from each other in a ring.
MAX_ALTERNATES = 20
"""The most object databases that one repository may borrow from."""
LARGEST_POINTER = 64 * 1024
"""Bytes of a file with names of folders, or with a reference."""
OUTSIDE = "leads out of the repository"
_CONTROL = re.compile(r"[\0-\x1f\x7f]")


class RepositoryError(PillarbookError):
    """The folder is no git repository, or the repository may not or cannot be read."""

    def __init__(self, folder: Path, reason: str) -> None:
        self.folder = folder
        """The folder."""
        self.reason = reason
        """What is wrong with the folder; follows its name in a sentence."""
        super().__init__(f"{folder} {reason}")


class GitFiles:
    """Git's own files of a working tree, a bare repository or a mirror.

    Raises:
        RepositoryError: It is no repository, or leads to files that may not be read.
    """

    def __init__(self, folder: Path, allowed: Callable[[Path], bool]) -> None:
        self.folder = folder
        """The working tree, or the bare repository."""
        self._allowed = allowed
        try:
            self.own = self._find_git()
            """The folder of this working tree's own files: ``HEAD`` and the index."""
            self.common = self._find_common(self.own)
            """The folder that all working trees share: objects and references."""
            for place in dict.fromkeys((self.own, self.common)):
                self._check_links(place)
            self._check_objects()
        except (OSError, ValueError) as error:
            raise RepositoryError(folder, "cannot be read") from error

    @property
    def objects(self) -> Path:
        """The folder of the object database."""
        return self.common / "objects"

    def _find_git(self) -> Path:
        """Return the folder of git's own files; a file ``.git`` may name another folder."""
        folder = self.folder
        git = folder / ".git"
        if git.is_file():
            self._check(git)
            named = (self.read_line(git) or "").removeprefix("gitdir:").strip()
            return Path(os.path.normpath(folder / named))
        if git.is_dir():
            return git
        if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
            return folder
        reason = "is no git repository" if folder.is_dir() else "does not exist"
        raise RepositoryError(folder, reason)

    def _find_common(self, git: Path) -> Path:
        """Return the main repository's folder; the own folder of a worktree names it."""
        self._check(git)
        self._check(git / "commondir")
        named = self.read_line(git / "commondir")
        return git if not named else git / named

    def _check_links(self, git: Path) -> None:
        """Check that no link among git's own files leads to a forbidden path."""
        self._check(git)
        for root, folders, files in os.walk(os.path.realpath(git)):
            for name in (*folders, *files):
                full = os.path.join(root, name)  # noqa: PTH118 (for each file of a repository)
                if os.path.islink(full):  # noqa: PTH114 (as above)
                    self._check(Path(full))

    def _check_objects(self) -> None:
        """Check that all object databases, also borrowed ones, are allowed and hold only files."""
        places = [self.objects]
        known: set[Path] = set()
        for place in places:  # the loop adds to the list
            self._check(place)
            real = Path(os.path.realpath(place))
            if real in known:
                continue
            known.add(real)
            if len(known) > MAX_ALTERNATES:
                raise RepositoryError(self.folder, "borrows from too many others")
            if not real.is_dir():
                raise RepositoryError(self.folder, "is no git repository that can be read")
            self._check_kinds(real)
            places += self._borrowed(place, is_own=place == self.objects)

    def _check_kinds(self, objects: Path) -> None:
        """Check that an object database has only files, because reading a pipe may never end."""
        for root, _, files in os.walk(objects):
            for name in files:
                full = os.path.join(root, name)  # noqa: PTH118 (for each file of a repository)
                if os.path.islink(full):  # noqa: PTH114 (as above)
                    self._check(Path(full))
                if os.path.exists(full) and not os.path.isfile(full):  # noqa: PTH110, PTH113 (as above)
                    raise RepositoryError(self.folder, "holds what is no file")

    def _borrowed(self, objects: Path, *, is_own: bool) -> Iterator[Path]:
        """Yield the object databases that a database borrows from.

        A relative path is relative to the database only in the repository's own list, and only with
        a dot in front. In all other cases libgit2 takes it relative to the process's folder.
        """
        file = objects / "info/alternates"
        self._check(file)
        content = self.read_bytes(file, LARGEST_POINTER) or b""
        for line in re.split(rb"[\r\n]+", content):
            name = line.decode("utf-8", "surrogateescape")
            if not name or name.startswith("#"):
                continue
            is_relative = is_own and name.startswith(".")
            if _CONTROL.search(name) or not (name.startswith("/") or is_relative):
                raise RepositoryError(self.folder, "borrows from what has no full path")
            yield objects / name

    def read_line(self, file: Path) -> str | None:
        """Return the only line of a file; None if there is no such file.

        Raises:
            RepositoryError: It is too large, is no plain file, or may not be read.
            ValueError: It has more than one line.
        """
        content = self.read_bytes(file, LARGEST_POINTER)
        if content is None:
            return None
        text = content.decode("utf-8", "surrogateescape").rstrip()
        if _CONTROL.search(text):
            raise ValueError
        return text

    def read_bytes(self, file: Path, most: int) -> bytes | None:
        """Return the content of a file; None if there is no such file.

        Raises:
            RepositoryError: It is too large, is no plain file, or may not be read.
        """
        self._check(file)
        try:
            kind = file.stat().st_mode
            if stat.S_ISDIR(kind):
                return None
            if not stat.S_ISREG(kind):
                raise RepositoryError(self.folder, "holds what is no file")
            with file.open("rb") as stream:
                content = stream.read(most + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
        if len(content) > most:
            raise RepositoryError(self.folder, f"holds a file '{file.name}' that is too large")
        return content

    def _check(self, path: Path) -> None:
        if not self._allowed(Path(os.path.realpath(path))):
            raise RepositoryError(self.folder, OUTSIDE)
