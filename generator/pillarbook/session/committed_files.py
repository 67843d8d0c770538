"""Finds files on disk that are unmodified since the checked-out commit."""

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from pillarbook.compile.project import Project
from pillarbook.model.limited_cache import recall
from pillarbook.roots.git_files import RepositoryError
from pillarbook.roots.git_home import find_home
from pillarbook.roots.repository import Commit, Repository, TreeEntry
from pillarbook.roots.work_tree import WorkTree


class HeadCommit:
    """The checked-out commit, and the files on disk."""

    def __init__(self, repository: Repository, home: Path, commit: Commit) -> None:
        self.repository = repository
        """The repository."""
        self.commit = commit
        """The commit."""
        self._home = home
        self._tree = WorkTree(repository, home)

    def find_modified(self, files: Iterable[Path]) -> Iterator[Path]:
        """Yield the files below the top that differ from the commit."""
        for file in files:
            path = Path(os.path.realpath(file))
            if not path.is_relative_to(self._home) or self._tree.ignores(path):
                continue
            if self.path_of(path) is None:
                yield file

    def path_of(self, file: Path) -> str | None:
        """Return a file's path from the top; None if it differs from the commit.

        The name has no links in its path.
        """
        if not file.is_relative_to(self._home) or file == self._home:
            return None
        *above, name = file.relative_to(self._home).parts
        found = self._members(above).get(name)
        path = "/".join((*above, name))
        if found is None or self._tree.unmodified(path, found.id) is None:
            return None
        return path

    def _members(self, names: Iterable[str]) -> Mapping[str, TreeEntry]:
        members: Mapping[str, TreeEntry] = self.repository.list_folder(self.commit.folder)
        for one in names:
            entry = members.get(one)
            if entry is None or entry.kind != "folder":
                return {}
            members = self.repository.list_folder(entry.id)
        return members


def find_head_commit(project: Project) -> HeadCommit | None:
    """Return the commit of the repository with the master file; None if there is none.

    Raises:
        OSError: A file of the repository cannot be read.
        RepositoryError: The repository is damaged.
        ValueError: The repository is damaged.
    """
    options = project.options
    home = find_home(options.file.parent)
    if home is None:
        return None
    repository = Repository(
        home.folder,
        allowed=lambda path: (
            options.may_read_git(path) or any(path.is_relative_to(one) for one in home.own)
        ),
    )
    head = repository.find_head()
    commit = None if head is None else repository.read_commit(head)
    return None if commit is None else HeadCommit(repository, home.folder, commit)


class CommittedFiles:
    """Files by the names in origins; implements ``report.FilesOfCommit``."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._found: HeadCommit | None = None
        self._is_open = False
        # By name, for one report: pages name a file again and again.
        self._paths: dict[str, str | None] = {}

    @property
    def commit(self) -> str | None:
        """The commit's id; None if there is none, or it cannot be read."""
        found = self._open()
        return None if found is None else found.commit.id

    def path_of(self, file: str) -> str | None:
        """Return a file's path from the top; None if it differs from the commit."""
        return recall(self._paths, file, partial(self._find, file))

    def _find(self, file: str) -> str | None:
        head = self._open()
        if head is None:
            return None
        try:
            return head.path_of(Path(os.path.realpath(self._project.options.top / file)))
        except (RepositoryError, OSError, ValueError):
            return None

    def _open(self) -> HeadCommit | None:
        if not self._is_open:
            self._is_open = True
            try:
                self._found = find_head_commit(self._project)
            except (RepositoryError, OSError, ValueError):  # a damaged or hostile repository
                self._found = None
        return self._found
