"""What the files of one side of a comparison hold.

A file that git calls unmodified has one content on both sides: the working tree's. Where only what
a filter made of a file can be had, or nothing at all, the file is named and is not compared: it
counts with what the other side has.
"""

import errno
from collections.abc import Callable

from pillarbook.roots.git_files import RepositoryError
from pillarbook.roots.repository import Repository
from pillarbook.roots.work_tree import GIT_CRYPT, WorkTree, filtered_by

Other = Callable[[str], bytes | None]
"""Gives what a file holds on the other side; None for none."""


# Which bytes count for a file that git calls unmodified: docs/decisions/0018.
class SideContents:
    """The contents of one side's files.

    Args:
        work: The working tree; None if there is none.
        is_partial: Whether the clone fetches objects only when git asks for them.
    """

    def __init__(
        self, repository: Repository, work: WorkTree | None, *, is_partial: bool = False
    ) -> None:
        self._repository = repository
        self._work = work
        self._is_partial = is_partial
        self.other: Other = lambda _: None
        """What the other side has for what cannot be had here."""
        self.hidden: Callable[[str], str | None] = lambda _: None
        """Says why the other side has nothing but what a filter made of a file."""
        self.not_compared: dict[str, str] = {}
        """Files that are not compared, by their path in the commit, with the reason."""

    def __call__(self, path: str, blob: str) -> bytes:
        """Return a file's content, by its path in the commit and its object's id.

        Raises:
            PermissionError: It cannot be had, and the other side has none of that name.
        """
        content, reason = self._find(path, blob)
        reason = reason or self.hidden(path)
        if reason is None and content is not None:
            return content
        self.not_compared[path] = reason or "cannot be read"
        there = self.other(path)
        if there is None and content is not None and filtered_by(content) == GIT_CRYPT:
            return content  # whoever reads it says that it is locked, as in a working tree
        if there is None:
            raise PermissionError(errno.EACCES, self.not_compared[path], path)
        return there

    def why_hidden(self, path: str, blob: str) -> str | None:
        """Return why nothing but what a filter made of a file can be had; None if it can."""
        return self._find(path, blob)[1]

    def _find(self, path: str, blob: str) -> tuple[bytes | None, str | None]:
        """Return what git keeps of a file, and why that is not what it holds."""
        unmodified = self._work.unmodified(path, blob) if self._work else None
        if unmodified is not None:
            return unmodified, None
        try:
            content = self._repository.read_file(blob)
        except RepositoryError:
            if self._is_partial:
                return None, "is not in this partial clone"
            return None, "is not in this clone"
        if content is None:
            return None, "has more than 64 MiB"
        name = filtered_by(content)
        return content, None if name is None else f"is only there as {name} keeps it"
