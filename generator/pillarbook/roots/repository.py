"""A git repository on this machine, read out of its object database.

Nothing is checked out, fetched or run. A repository of a tree that nobody trusts may be made to
lead elsewhere: by links, by a file in place of ``.git``, or by ``objects/info/alternates``. So each
of these ways is followed, and has to end where may be read.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pillarbook.diagnostics import PillarbookError

if TYPE_CHECKING:
    import pygit2

Kind = Literal["file", "folder", "link", "submodule"]
MOST_ALTERNATES = 20
"""So many object databases may one repository borrow from."""
LARGEST_FILE = 64 * 1024 * 1024
"""Bytes; nothing that a template or YAML could make of more would be within its limits."""


class RepositoryError(PillarbookError):
    """A folder that is no git repository, or one that may not or cannot be read."""

    def __init__(self, folder: Path, reason: str) -> None:
        self.folder = folder
        """The folder."""
        self.reason = reason
        """What is wrong with it, to follow its name."""
        super().__init__(f"{folder} {reason}")


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands under a name in a folder of a commit."""

    name: str
    """The name; what is not UTF-8 in it is escaped."""
    kind: Kind
    """What it is."""
    id: str
    """The object's id, in hexadecimal."""


class Repository:
    """A repository; what is read of it is kept.

    Args:
        folder: A working tree, or a bare repository or mirror.
        allowed: Says whether a resolved path may be read.

    Raises:
        RepositoryError: It is none, or leads to where may not be read.
    """

    def __init__(self, folder: Path, *, allowed: Callable[[Path], bool]) -> None:
        self.folder = folder
        """The folder."""
        self._repository = _open(folder, allowed)
        self._folders: dict[str, Mapping[str, Entry]] = {}

    def find_commit(self, *references: str) -> str | None:
        """Return the id of the commit that the first of some references leads to.

        Args:
            references: Full names, such as ``refs/heads/master``.

        Raises:
            RepositoryError: The object that it names is missing or broken.
        """
        import pygit2  # noqa: PLC0415 (a tenth of a second that few trees need)

        for name in references:
            try:
                found = self._repository.references.get(name)
                if found is not None:
                    return str(found.peel(pygit2.Commit).id)
            except (pygit2.InvalidSpecError, ValueError):
                continue  # no name that a reference could have, or a tag on something else
            except (pygit2.GitError, KeyError, OSError) as error:
                raise self._broken(name) from error
        return None

    def folder_of(self, commit: str) -> str:
        """Return the id of a commit's top folder.

        Raises:
            RepositoryError: There is no such commit.
        """
        import pygit2  # noqa: PLC0415 (as above)

        try:
            return str(self._repository[commit].peel(pygit2.Tree).id)
        except (pygit2.GitError, KeyError, ValueError) as error:
            raise self._broken(commit) from error

    def list_folder(self, folder: str) -> Mapping[str, Entry]:
        """Return what a folder holds by name, in git's order.

        Args:
            folder: Its object's id.

        Raises:
            RepositoryError: There is no such object, as in a shallow or partial clone.
        """
        if folder not in self._folders:
            self._folders[folder] = {entry.name: entry for entry in self._list(folder)}
        return self._folders[folder]

    def read_file(self, file: str) -> bytes | None:
        """Return what a file holds; None where that is more than ``LARGEST_FILE``.

        Args:
            file: Its object's id.

        Raises:
            RepositoryError: There is no such object, as in a partial clone.
        """
        import pygit2  # noqa: PLC0415 (as above)

        try:
            database = self._repository.odb
            _, size = database.read_header(file)
            return None if size > LARGEST_FILE else database.read(file)[1]
        except (pygit2.GitError, KeyError, ValueError) as error:
            raise self._broken(file) from error

    def _list(self, folder: str) -> Iterator[Entry]:
        import pygit2  # noqa: PLC0415 (as above)

        try:
            tree = self._repository[folder]
            members = list(tree) if isinstance(tree, pygit2.Tree) else []
        except (pygit2.GitError, KeyError, ValueError) as error:
            raise self._broken(folder) from error
        for member in members:
            name = (member.raw_name or b"").decode("utf-8", "surrogateescape")
            if name not in {"", ".", ".."} and "/" not in name:
                yield Entry(name, _kind(member.filemode), str(member.id))

    def _broken(self, what: str) -> RepositoryError:
        return RepositoryError(self.folder, f"lacks what {what} names, or cannot be read")


def _kind(mode: int) -> Kind:
    kinds: dict[int, Kind] = {0o040000: "folder", 0o120000: "link", 0o160000: "submodule"}
    return kinds.get(mode, "file")


def _open(folder: Path, allowed: Callable[[Path], bool]) -> "pygit2.Repository":
    import pygit2  # noqa: PLC0415 (as above)
    from pygit2.enums import RepositoryOpenFlag  # noqa: PLC0415

    git = _find_git(folder)
    for way in _yield_ways(git):
        if not allowed(way):
            raise RepositoryError(folder, "leads out of the repository")
    try:
        # Whose files they are does not matter to one who runs nothing of what they say.
        pygit2.settings.owner_validation = False
        return pygit2.Repository(str(git), RepositoryOpenFlag.NO_SEARCH)
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        raise RepositoryError(folder, "is no git repository that can be read") from error


def _find_git(folder: Path) -> Path:
    """Return the folder of git's own files, which a file ``.git`` may name."""
    git = folder / ".git"
    try:
        if git.is_file():
            text = git.read_bytes()[:4096].decode("utf-8", "replace")
            return Path(os.path.normpath(folder / text.removeprefix("gitdir:").strip()))
        if git.is_dir():
            return git
        if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
            return folder
    except (OSError, ValueError) as error:
        raise RepositoryError(folder, "cannot be read") from error
    raise RepositoryError(folder, "is no git repository" if folder.is_dir() else "is not there")


def _yield_ways(git: Path) -> Iterator[Path]:
    """Yield where git's own files lie and lead to, links followed."""
    places = [git]
    known: set[Path] = set()
    for place in places:  # grows while it is walked
        real = Path(os.path.realpath(place))
        if real in known:
            continue
        known.add(real)
        yield real
        if len(known) > MOST_ALTERNATES:
            raise RepositoryError(git, "borrows from too many others")
        places += _yield_named(real)
        for root, folders, files in os.walk(real):
            for name in (*folders, *files):
                full = os.path.join(root, name)  # noqa: PTH118 (for each file of a repository)
                if os.path.islink(full):  # noqa: PTH114 (as above)
                    yield Path(os.path.realpath(full))


def _yield_named(git: Path) -> Iterator[Path]:
    """Yield the folders that git's own files name: the main repository's, and other databases."""
    for name, base in (("commondir", git), ("objects/info/alternates", git / "objects")):
        yield from (base / line for line in _read_lines(git / name))
    yield from (git / line for line in _read_lines(git / "info/alternates"))  # of a database


def _read_lines(file: Path) -> list[str]:
    try:
        lines = file.read_bytes()[:65536].decode("utf-8", "surrogateescape").splitlines()
    except (OSError, ValueError):
        return []
    return [line for line in lines if line and not line.startswith("#")]
