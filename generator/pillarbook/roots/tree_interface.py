"""What a folder and a git tree have in common, and a tree that is put below another folder."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

MAX_CONTENT = 512 * 1024 * 1024
"""Bytes that one tree keeps of its files: links can name one large file again and again."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file that a tree holds."""

    path: str
    """Relative to the tree, with slashes."""
    shown: str
    """As it is shown: relative to the repository."""
    full: str
    """As a master would see it: what ``tplpath`` holds."""
    content: bytes
    """Its bytes."""
    digest: str
    """Of its bytes; equal for equal content."""


class FileTree(Protocol):
    """A read-only tree of files; what it holds does not change while it is used."""

    @property
    def full(self) -> str:
        """The folder as a master would see it: what ``FoundFile.full`` of its files begins with."""
        ...

    def names(self) -> tuple[str, ...]:
        """Return the paths of all files, relative to the tree, with slashes."""
        ...

    def find(self, path: str) -> FoundFile | None:
        """Return the file at a relative path, or None if there is none."""
        ...

    def unreadable(self, path: str) -> str | None:
        """Return what bars the way to a path, as it is shown; None if nothing does."""
        ...


class CachedTree(ABC):
    """Finds each file of a tree once; notes what is there and does not count."""

    def __init__(self) -> None:
        self._names: tuple[str, ...] | None = None
        # By path, so that a run sees one state of each file even if somebody edits it meanwhile. A
        # server makes new trees for each build; a commit never changes.
        self._found: dict[str, FoundFile | None] = {}
        self._kept = 0
        self.refused: dict[str, str] = {}
        """What is there and does not count, as it is shown, with what is wrong with it."""

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
        """Return the file at a relative path, anew."""

    def _make_file(
        self, path: str, shown: str, full: str, content: bytes | None
    ) -> FoundFile | None:
        """Return a file with its content; None if that is too large, as no content is."""
        if content is None:
            self.refused[shown] = "has more than 64 MiB"
            return None
        if self._kept + len(content) > MAX_CONTENT:
            self.refused[shown] = f"is beyond {MAX_CONTENT // 1024**2} MiB of a tree"
            return None
        self._kept += len(content)
        return FoundFile(path, shown, full, content, hashlib.sha256(content).hexdigest())

    def _has_name(self, name: str, show: Callable[[], str]) -> bool:
        """Say whether a name is text; any other could not be written anywhere."""
        try:
            name.encode()
        except UnicodeEncodeError:
            written = show().encode("utf-8", "backslashreplace").decode()
            self.refused[written] = "has a name that is not UTF-8"
            return False
        return True


class MountedTree:
    """A tree whose files all are below a folder, as git_pillar's ``mountpoint`` puts them.

    Args:
        folder: Relative; empty leaves the files where they are.
        full: Where a master would have the top.
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
        """Return what bars the way to a path, as it is shown; None if nothing does."""
        if not path.startswith(self._prefix):
            return None
        return self._tree.unreadable(path.removeprefix(self._prefix))
