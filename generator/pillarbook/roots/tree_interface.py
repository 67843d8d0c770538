"""The interface of file trees, their common base, and a tree at a mount point."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

MAX_CONTENT = 512 * 1024 * 1024
"""The most bytes of files that a tree keeps: links can name one large file again and again."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file of a tree."""

    path: str
    """Relative to the tree, with slashes."""
    shown: str
    """The name in messages and pages, relative to the repository."""
    full: str
    """The path on a master, as in ``tplpath``."""
    content: bytes
    """Its bytes."""
    digest: str
    """The digest of the content; equal for equal content."""

    @property
    def text(self) -> str:
        """The content as text, whatever bytes it has."""
        return self.content.decode("utf-8", "replace")


def sls_of_path(path: str) -> str:
    """Return the name of the SLS whose file has a path below its roots."""
    return path.removesuffix(".sls").removesuffix("/init").replace("/", ".")


class FileTree(Protocol):
    """A read-only tree of files, which does not change while it is used."""

    @property
    def full(self) -> str:
        """The folder's path on a master: the beginning of ``FoundFile.full`` of its files."""

    def names(self) -> tuple[str, ...]:
        """Return the paths of all files, relative to the tree, with slashes."""

    def find(self, path: str) -> FoundFile | None:
        """Return the file at a relative path, or None if there is none."""

    def unreadable(self, path: str) -> str | None:
        """Return the shown path that prevents reading a path; None if nothing does."""


class CachedTree(ABC):
    """Finds each file of a tree once; records existing files that are refused."""

    def __init__(self) -> None:
        self._names: tuple[str, ...] | None = None
        # By path, so that a run sees one state of each file even if somebody edits it meanwhile. A
        # server makes new trees for each build; a commit never changes.
        self._found: dict[str, FoundFile | None] = {}
        self._kept = 0
        self.refused: dict[str, str] = {}
        """Refused files and folders: the reason by shown path."""

    def names(self) -> tuple[str, ...]:
        """Return the paths of all files, hidden ones too, in no particular order."""
        if self._names is None:
            self._names = tuple(self._walk())
        return self._names

    def find(self, path: str) -> FoundFile | None:
        """Return the file at a relative path; None if there is none that may be read."""
        if path not in self._found:
            self._found[path] = self._read(path)
        return self._found[path]

    @abstractmethod
    def _walk(self) -> list[str]:
        """Return the paths of all files."""

    @abstractmethod
    def _read(self, path: str) -> FoundFile | None:
        """Return the file at a relative path, without the cache."""

    def _make_file(
        self, path: str, shown: str, full: str, content: bytes | None
    ) -> FoundFile | None:
        """Return a file with its content; None if the content is too large."""
        if content is None:
            self.refused[shown] = "has more than 64 MiB"
            return None
        if self._kept + len(content) > MAX_CONTENT:
            self.refused[shown] = f"is beyond {MAX_CONTENT // 1024**2} MiB of a tree"
            return None
        self._kept += len(content)
        return FoundFile(path, shown, full, content, hashlib.sha256(content).hexdigest())

    def _has_name(self, name: str, show: Callable[[], str]) -> bool:
        """Say whether a name is valid text, so that it can be written anywhere."""
        try:
            name.encode()
        except UnicodeEncodeError:
            written = show().encode("utf-8", "backslashreplace").decode()
            self.refused[written] = "has a name that is not UTF-8"
            return False
        return True


class MountedTree:
    """A tree with all its files below a folder, as for git_pillar's ``mountpoint``.

    An empty folder leaves the files where they are. ``full`` is the path of the top on a master.
    """

    def __init__(self, tree: FileTree, folder: str, full: str) -> None:
        self._tree = tree
        self._prefix = f"{folder.strip('/')}/" if folder.strip("/") else ""
        self.full = full.rstrip("/")

    def names(self) -> tuple[str, ...]:
        """Return the paths of all files."""
        return tuple(self._prefix + name for name in self._tree.names())

    def find(self, path: str) -> FoundFile | None:
        """Return the file at a relative path, or None if there is none."""
        if not path.startswith(self._prefix):
            return None
        found = self._tree.find(path.removeprefix(self._prefix))
        return found and replace(found, path=path, full=f"{self.full}/{path}")

    def unreadable(self, path: str) -> str | None:
        """Return the shown path that prevents reading a path; None if nothing does."""
        if not path.startswith(self._prefix):
            return None
        return self._tree.unreadable(path.removeprefix(self._prefix))
