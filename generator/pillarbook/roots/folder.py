"""A folder on disk as a file tree."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pillarbook.roots.file_access import DISK, Files
from pillarbook.roots.no_links import GIT
from pillarbook.roots.tree_interface import CachedTree, FoundFile

LARGEST_FILE = 64 * 1024 * 1024
"""Bytes; a template or YAML of a larger file would exceed its own limits."""

UNREADABLE = "cannot be read"


class FolderTree(CachedTree):
    """A folder; each file is read once, and links are followed if their targets are allowed.

    The folder need not exist. ``shown`` returns the name of a file below it in messages and pages.
    A file whose resolved path is not ``allowed`` counts as absent.
    """

    def __init__(
        self,
        folder: Path,
        *,
        shown: Callable[[Path], str],
        allowed: Callable[[Path], bool],
        files: Files = DISK,
    ) -> None:
        super().__init__()
        self._folder = folder
        self._files = files
        self._shown = shown
        self._allowed = allowed

    @property
    def full(self) -> str:
        """The folder's full path."""
        return os.path.normpath(self._folder)

    def _walk(self) -> list[str]:
        names: list[str] = []
        visited: set[str] = set()
        if not self._may_enter(self._folder):
            return names
        for folder, folders, files in self._files.walk(
            self._folder, onerror=self._note_unreadable, followlinks=True
        ):
            real = str(self._files.resolve(Path(folder)))
            if real in visited:
                folders.clear()  # a link to a folder above
                continue
            folders[:] = [
                name for name in folders if name != GIT and self._may_enter(Path(folder, name))
            ]
            visited.add(real)
            relative = os.path.relpath(folder, self._folder)
            prefix = "" if relative == "." else relative + "/"
            names.extend(
                prefix + name
                for name in files
                if self._has_name(prefix + name, partial(self._shown, Path(folder, name)))
            )
        return names

    def _may_enter(self, folder: Path) -> bool:
        """Say whether a folder may be listed; only a link can lead out of its parent."""
        is_top = folder == self._folder
        return not (is_top or self._files.is_link(folder)) or self._may_read(
            self._files.resolve(folder), folder
        )

    def unreadable(self, path: str) -> str | None:
        """Return the shown path of the folder or file that prevents reading; None if none does."""
        full = Path(os.path.normpath(self._folder / path))
        for way in (*reversed(full.parents), full):
            if not way.is_relative_to(self._folder):
                continue
            shown = self._shown(way)
            if self.refused.get(shown, "").startswith(UNREADABLE):
                return shown
        return None

    def _note_unreadable(self, error: OSError) -> None:
        """Record a folder that cannot be listed; a missing one is empty."""
        if isinstance(error, PermissionError):
            self.refused[self._shown(Path(error.filename))] = f"{UNREADABLE}: {error.strerror}"

    def _note_barred(self, full: Path, error: OSError) -> None:
        """Record a file that cannot be read, or the folder above it that cannot be searched."""
        barred = full
        while barred not in (self._folder, barred.parent):
            if self._files.exists(barred) or self._files.is_link(barred):
                break
            barred = barred.parent
        if barred == full or not os.access(barred, os.X_OK):
            self.refused[self._shown(barred)] = f"{UNREADABLE}: {error.strerror}"

    def _read(self, path: str) -> FoundFile | None:
        full = Path(os.path.normpath(os.path.join(self._folder, path)))  # noqa: PTH118 (faster)
        try:
            if not self._files.is_file(full) or not self._has_name(
                path, partial(self._shown, full)
            ):
                return None
            real = self._files.resolve(full)
            if not self._may_read(real, full):
                return None
            content = self._files.read(real, LARGEST_FILE + 1, follow=False)
        except OSError as error:
            self._note_barred(full, error)
            return None
        is_small = len(content) <= LARGEST_FILE
        return self._make_file(path, self._shown(full), str(full), content if is_small else None)

    def _may_read(self, resolved: Path, path: Path) -> bool:
        if self._belongs_to_git(resolved):
            self.refused[self._shown(path)] = "belongs to git itself"
            return False
        if self._allowed(resolved):
            return True
        self.refused[self._shown(path)] = "leads out of the repository"
        return False

    def _belongs_to_git(self, resolved: Path) -> bool:
        """Say whether a path leads to git's own files, which may have credentials of a checkout.

        A tree that is read from git never has these files either.
        """
        if GIT not in resolved.parts:
            return False
        own = self._files.resolve(self._folder)
        is_below = resolved.is_relative_to(own)
        return GIT in (resolved.relative_to(own) if is_below else resolved).parts
