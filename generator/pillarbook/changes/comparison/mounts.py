"""Files that a commit does not contain and that are read elsewhere: submodules, ignored files."""

import re
from collections.abc import Iterator
from pathlib import Path

from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.master import load_master
from pillarbook.inventory.permissions import decide
from pillarbook.inventory.reach import Trust
from pillarbook.inventory.root_folders import RootKind, resolve_roots
from pillarbook.inventory.settings import Settings
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
_ROOTS: tuple[RootKind, ...] = ("pillar_roots", "file_roots")


def mount_submodules(files: CommitFiles, home: Path) -> dict[Path, SideContents | None]:
    """Read the submodules of a commit from their own repositories, if these exist here.

    Args:
        files: The files of the commit.
        home: The top of the working tree.

    Returns:
        The contents of each submodule; None if its commit is not here, so that the files on disk
        count.
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


def lend_ignored(settings: Settings, sides: list[CommitFiles], work: WorkTree) -> None:
    """Read declared files that git ignores from disk on both sides, since they have no history."""
    for path in _declared(settings):
        real = DISK.resolve(path)
        if not DISK.exists(real) or not work.ignores(real):
            continue
        if not any(files.exists(real) for files in sides):
            for files in sides:
                files.mount(real, DISK)


def _declared(settings: Settings) -> Iterator[Path]:
    if settings.file is not None:
        yield settings.file
    yield from (settings.master, *settings.inventory)
    named = (*settings.paths.values(), *settings.ext_pillars.values())
    yield from (settings.folder / path for path in named)
    try:
        allowed, _ = decide(settings, Trust())
        options, _ = load_master(settings.master, reach=allowed.reach, paths=allowed.paths)
    except PillarbookError:
        return  # reported when the side is opened
    for kind in _ROOTS:
        for roots in resolve_roots(options, kind).values():
            yield from (root.path for root in roots if root.path is not None)
