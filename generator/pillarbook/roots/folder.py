"""A folder on disk as a file tree."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from pillarbook.roots.tree import Found


class FolderTree:
    """A folder; each file is read once, links are followed as far as they may be.

    Args:
        folder: The folder; it need not exist.
        shown: Gives the text by which a file below it is shown.
        allowed: Says whether a resolved path may be read; what may not be is as if absent.
    """

    def __init__(
        self, folder: Path, *, shown: Callable[[Path], str], allowed: Callable[[Path], bool]
    ) -> None:
        self._folder = folder
        self._shown = shown
        self._allowed = allowed
        self._names: tuple[str, ...] | None = None
        self._found: dict[str, Found | None] = {}
        self.refused: set[str] = set()
        """Paths that lead out of where this tree may read, as they are shown."""

    def names(self) -> tuple[str, ...]:
        """Return the paths of all files, hidden ones too, in no particular order."""
        if self._names is None:
            self._names = tuple(self._walk())
        return self._names

    def _walk(self) -> list[str]:
        names: list[str] = []
        visited: set[str] = set()
        for folder, folders, files in os.walk(self._folder, followlinks=True):
            real = os.path.realpath(folder)
            if real in visited or not self._may_read(Path(folder)):
                folders.clear()  # a link back up, or out
                continue
            visited.add(real)
            relative = os.path.relpath(folder, self._folder)
            prefix = "" if relative == "." else relative + "/"
            names.extend(prefix + name for name in files)
        return names

    def find(self, path: str) -> Found | None:
        """Return the file at a relative path, or None where there is none that may be read."""
        if path not in self._found:
            self._found[path] = self._read(path)
        return self._found[path]

    def _read(self, path: str) -> Found | None:
        full = Path(os.path.normpath(self._folder / path))
        if not full.is_file() or not self._may_read(full):
            return None
        try:
            content = full.read_bytes()
        except OSError:
            return None
        digest = hashlib.sha256(content).hexdigest()
        return Found(path, self._shown(full), str(full), content, digest)

    def _may_read(self, path: Path) -> bool:
        if self._allowed(path.resolve()):
            return True
        self.refused.add(self._shown(path))
        return False
