"""The interface that a folder and a git tree have in common."""

from dataclasses import dataclass
from typing import Protocol

MAX_CONTENT = 512 * 1024 * 1024
"""Bytes that one tree keeps of its files: links can name one large file again and again."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file that a tree holds."""

    path: str
    """Relative to the tree, with slashes."""
    shown: str
    """As it is shown: relative to the master file's folder."""
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
        """Return the file at a relative path, or None where there is none."""
        ...

    def unreadable(self, path: str) -> str | None:
        """Return what bars the way to a path, as it is shown; None where nothing does."""
        ...
