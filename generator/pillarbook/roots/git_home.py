"""Finds the repository of a folder, and the folders of git that belong to the repository.

The git files of a worktree or submodule are in the main repository's folder. A file ``.git`` that
names such a folder is trusted only if the folder names it back. A tree from an archive cannot make
another repository do this.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from pillarbook.roots.git_files import LARGEST_POINTER

_WORKTREE = re.compile(rb"^\s*worktree\s*=\s*(.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class GitHome:
    """The location of a repository."""

    folder: Path
    """The top of the working tree, or the bare repository."""
    is_bare: bool
    """Whether it has no working tree."""
    own: tuple[Path, ...]
    """Resolved folders outside of it with git's files of it."""


def find_home(folder: Path, within: tuple[Path, ...] | None = None) -> GitHome | None:
    """Return the repository that a folder is in; None if it is in none.

    The folder need not exist, because a bare repository has no files. With ``within``, git's own
    files are searched only in these resolved folders.
    """
    start = Path(os.path.realpath(folder))
    for place in (start, *start.parents):
        git = place / ".git"
        if git.is_dir():
            return GitHome(place, is_bare=False, own=())
        if git.is_file():
            return GitHome(place, is_bare=False, own=_own_folders(git, within))
        folders = (place / "objects", place / "refs")
        if (place / "HEAD").is_file() and all(folder.is_dir() for folder in folders):
            return GitHome(place, is_bare=True, own=())
    return None


def _own_folders(file: Path, within: tuple[Path, ...] | None) -> tuple[Path, ...]:
    """Return git's own folders that a file ``.git`` names, if they name it back."""
    named = _read(file).removeprefix(b"gitdir:").strip().decode("utf-8", "surrogateescape")
    if not named or "\0" in named:
        return ()
    git = Path(os.path.realpath(file.parent / named))
    if within is not None and not any(git.is_relative_to(one) for one in within):
        return ()
    back = _read(git / "gitdir").strip().decode("utf-8", "surrogateescape")
    if back and "\0" not in back and os.path.realpath(git / back) == os.path.realpath(file):
        common = _read(git / "commondir").strip().decode("utf-8", "surrogateescape")
        shared = Path(os.path.realpath(git / common)) if common and "\0" not in common else git
        # A worktree's own folder is below the shared one, so only the shared one is returned.
        return (shared,) if git.parent == shared / "worktrees" else (git,)
    tree = _WORKTREE.search(_read(git / "config"))
    if tree is None:
        return ()
    named_tree = os.path.realpath(git / tree[1].strip(b'"').decode("utf-8", "surrogateescape"))
    return (git,) if named_tree == os.path.realpath(file.parent) else ()


def _read(file: Path) -> bytes:
    try:
        if not file.is_file():  # opening a pipe would wait for its end
            return b""
        with file.open("rb") as stream:
            return stream.read(LARGEST_POINTER)
    except (OSError, ValueError):
        return b""
