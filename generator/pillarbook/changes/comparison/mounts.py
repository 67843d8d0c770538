"""Files that a commit does not contain and that are read elsewhere: submodules, ignored files."""

import re
from collections.abc import Sequence
from pathlib import Path

from pillarbook.roots.commit_files import CommitFiles
from pillarbook.roots.file_access import DISK, Files
from pillarbook.roots.git_files import RepositoryError
from pillarbook.roots.git_home import GitHome, find_home
from pillarbook.roots.repository import Repository
from pillarbook.roots.side_contents import SideContents
from pillarbook.roots.work_tree import WorkTree

MODULES = ".gitmodules"
# Anybody can write `.gitmodules`.
MAX_MODULES = 1_000
"""The most submodules that are read."""
_PATH = re.compile(rb"^\s*path\s*=\s*(.+?)\s*$", re.MULTILINE)


def mount_submodules(files: CommitFiles, home: Path) -> dict[Path, SideContents | None]:
    """Return the contents of each submodule of a commit, from its own repository if that is here.

    None stands for a submodule whose commit is not here, so that the files on disk count.
    """
    found: dict[Path, SideContents | None] = {}
    try:
        listed = _PATH.findall(files.read(home / MODULES))
    except OSError:
        return found
    around = find_home(home)
    within = (home, *(around.own if around is not None else ()))
    for name in listed[:MAX_MODULES]:
        path = home / name.strip(b'"').decode("utf-8", "surrogateescape")
        commit = files.submodule_at(path)
        home_of = None if commit is None else find_home(path, within)
        if commit is None or home_of is None or home_of.folder != path:
            continue  # not checked out: an empty folder
        module = _open_submodule(home_of, commit, files)
        found[path] = None if module is None else module[1]
        files.mount(path, DISK if module is None else module[0])
    return found


def _open_submodule(
    home: GitHome, commit: str, above: CommitFiles
) -> tuple[Files, SideContents] | None:
    """Return a submodule's files at a commit; None if it is not available."""
    folders = (home.folder, *home.own)

    def may_read(place: Path) -> bool:
        return any(place.is_relative_to(folder) for folder in folders)

    try:
        repository = Repository(home.folder, allowed=may_read)
        contents = SideContents(repository, WorkTree(repository, home.folder))
        files = CommitFiles(repository, commit, home.folder, contents, elsewhere=above)
    except RepositoryError:
        return None
    return files, contents


class IgnoredFiles:
    """The files on disk that git ignores; both sides have them, since they have no history."""

    def __init__(self, sides: Sequence[CommitFiles], work: WorkTree) -> None:
        self._sides = sides
        self._work = work
        # By path: neither the commits nor the list of ignored files changes in a run.
        self._known: dict[Path, bool] = {}

    def has(self, path: Path) -> bool:
        """Say whether a path leads to such a file, or to a folder of them."""
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = self._find(path)
        return known

    def _find(self, path: Path) -> bool:
        if ".git" in path.parts or not DISK.exists(path) or not self._work.ignores(path):
            return False
        return all(files.id_of(path) is None for files in self._sides)
