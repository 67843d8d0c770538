"""The contents of the files of one side of a comparison.

A file that git reports as unmodified has one content on both sides: that of the working tree. If
only the output of a filter is available, or no content at all, the file is reported and not
compared: the content of the other side is used.
"""

import errno
from collections.abc import Callable

from pillarbook.roots.git_files import RepositoryError
from pillarbook.roots.repository import Repository
from pillarbook.roots.work_tree import GIT_CRYPT, WorkTree, filtered_by

Other = Callable[[str], bytes | None]
"""Returns the content of a file on the other side; None if there is none."""


# Which bytes count for a file that git calls unmodified: docs/decisions/0018.
class SideContents:
    """The contents of one side's files.

    ``work`` is None without a working tree. A clone that ``is_partial`` fetches objects only when
    git asks for them.
    """

    def __init__(
        self, repository: Repository, work: WorkTree | None, *, is_partial: bool = False
    ) -> None:
        self._repository = repository
        self._work = work
        self._is_partial = is_partial
        self.other: Other = lambda _: None
        """The other side's contents, for files without a content here."""
        self.hidden: Callable[[str], str | None] = lambda _: None
        """Returns the reason if the other side has only the output of a filter."""
        self.not_compared: dict[str, str] = {}
        """Files that are not compared: the reason by path in the commit."""

    def __call__(self, path: str, blob: str) -> bytes:
        """Return a file's content, by its path in the commit and its object's id.

        Raises:
            PermissionError: It is not available, and the other side has no file of this name.
        """
        content, reason = self._find(path, blob)
        reason = reason or self.hidden(path)
        if reason is None and content is not None:
            return content
        self.not_compared[path] = reason or "cannot be read"
        there = self.other(path)
        if there is None and content is not None and filtered_by(content) == GIT_CRYPT:
            return content  # its reader reports that it is locked, as in a working tree
        if there is None:
            raise PermissionError(errno.EACCES, self.not_compared[path], path)
        return there

    def why_hidden(self, path: str, blob: str) -> str | None:
        """Return the reason if only the output of a filter is available for a file; else None."""
        return self._find(path, blob)[1]

    def _find(self, path: str, blob: str) -> tuple[bytes | None, str | None]:
        """Return git's content of a file, and the reason if this is not the file's real content."""
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
        return content, None if name is None else f"is only available in its {name} form"
