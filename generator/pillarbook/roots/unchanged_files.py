"""Files that do not change for a while, so that what was read of them once is known."""

from collections.abc import Callable, Iterator
from pathlib import Path

from pillarbook.model.limited_cache import LimitedCache
from pillarbook.roots.file_access import Files, Walked

# Protects memory: a comparison makes hundreds of patches over the same files.
LARGEST_KEPT = 64 * 1024
"""Bytes; larger contents are read each time."""
MAX_CONTENTS = 10_000
"""The most contents that are kept."""
MAX_PATHS = 50_000
"""The most answers about paths that are kept."""


class UnchangedFiles(Files):
    """Other files, each of which is looked up and read once.

    The patches of a comparison's trials are made over them (docs/decisions/0019).
    """

    def __init__(self, files: Files) -> None:
        self._files = files
        # By the path alone, because the files do not change; the contents by the most bytes, too.
        self._contents = LimitedCache[tuple[Path, int], bytes](MAX_CONTENTS)
        self._resolved = LimitedCache[Path, Path](MAX_PATHS)
        self._known = LimitedCache[tuple[str, Path], bool](MAX_PATHS)

    def resolve(self, path: Path) -> Path:
        """Return a path with its links followed."""
        found = self._resolved.get(path)
        if found is None:
            found = self._resolved[path] = self._files.resolve(path)
        return found

    def is_file(self, path: Path) -> bool:
        """Say whether a path leads to a file."""
        return self._ask("file", path, self._files.is_file)

    def is_dir(self, path: Path) -> bool:
        """Say whether a path leads to a folder."""
        return self._ask("folder", path, self._files.is_dir)

    def exists(self, path: Path) -> bool:
        """Say whether a path leads to anything."""
        return self._ask("anything", path, self._files.exists)

    def is_link(self, path: Path) -> bool:
        """Say whether a path is itself a link."""
        return self._ask("link", path, self._files.is_link)

    def _ask(self, what: str, path: Path, ask: Callable[[Path], bool]) -> bool:
        found = self._known.get((what, path))
        if found is None:
            found = self._known[what, path] = ask(path)
        return found

    def read(self, path: Path, most: int = -1, *, follow: bool = True) -> bytes:
        """Return a file's content, or its first ``most`` bytes."""
        kept = self._contents.get((path, most))
        if kept is None:
            kept = self._files.read(path, most, follow=follow)
            if len(kept) <= LARGEST_KEPT:
                self._contents[path, most] = kept
        return kept

    def names(self, folder: Path) -> list[str]:
        """Return the names in a folder."""
        return self._files.names(folder)

    def walk(
        self,
        folder: Path,
        *,
        followlinks: bool = False,
        onerror: Callable[[OSError], object] | None = None,
    ) -> Iterator[Walked]:
        """Yield a folder and all below it."""
        return self._files.walk(folder, followlinks=followlinks, onerror=onerror)

    def repository_of(self, folder: Path) -> Path | None:
        """Return the top of the repository that a resolved folder is in."""
        return self._files.repository_of(folder)
