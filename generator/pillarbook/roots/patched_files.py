"""Files over other files: with some replaced or removed, or with each read only once."""

import errno
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from pillarbook.model.limited_cache import LimitedCache
from pillarbook.roots.file_access import Files, Walked

Patch = Mapping[Path, bytes | None]
"""The new content of files; None for a removed file."""
# Protects memory: a comparison makes hundreds of patches over the same files.
LARGEST_KEPT = 64 * 1024
"""Bytes; larger contents are read each time."""
MAX_CONTENTS = 10_000
"""The most contents that are kept."""
MAX_PATHS = 50_000
"""The most answers about paths that are kept."""


class PatchedFiles(Files):
    """Other files, with a patch over them."""

    def __init__(self, files: Files, patch: Patch) -> None:
        self._files = files
        self._patch = patch
        there = [path for path, content in patch.items() if content is not None]
        self._folders = {folder for path in there for folder in path.parents}
        self._added: dict[Path, set[str]] = {}
        for path in there:
            for one in (path, *path.parents):
                self._added.setdefault(one.parent, set()).add(one.name)
        self._gone: set[Path] = set()
        for path, content in patch.items():
            if content is None:
                self._take_out(path.parent)

    def _take_out(self, folder: Path) -> None:
        """Remove folders that lose all their members, as git does."""
        while folder not in self._gone and self._files.is_dir(folder) and not self.names(folder):
            self._gone.add(folder)
            folder = folder.parent

    def resolve(self, path: Path) -> Path:
        """Return a path with its links followed."""
        return self._files.resolve(path)

    def _find(self, path: Path) -> Path | None:
        """Return a path with its links followed; None for a path with NUL, which no file has."""
        return None if "\0" in str(path) else self.resolve(path)

    def is_file(self, path: Path) -> bool:
        """Say whether a path leads to a file."""
        real = self._find(path)
        if real is None or real in self._patch:
            return real is not None and self._patch[real] is not None
        return real not in self._folders and self._files.is_file(real)

    def is_dir(self, path: Path) -> bool:
        """Say whether a path leads to a folder."""
        real = self._find(path)
        if real is None or real in self._folders:
            return real is not None
        return real not in self._patch and real not in self._gone and self._files.is_dir(real)

    def exists(self, path: Path) -> bool:
        """Say whether a path leads to anything."""
        real = self._find(path)
        if real is None:
            return False
        if real in self._folders or real in self._patch:
            return real in self._folders or self._patch[real] is not None
        return real not in self._gone and self._files.exists(real)

    def is_link(self, path: Path) -> bool:
        """Say whether a path is itself a link."""
        return path not in self._patch and self._files.is_link(path)

    def read(self, path: Path, most: int = -1, *, follow: bool = True) -> bytes:
        """Return a file's content, or its first ``most`` bytes."""
        real = self.resolve(path)
        if real not in self._patch:
            return self._files.read(real, most, follow=follow)
        content = self._patch[real]
        if content is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        return content if most < 0 else content[:most]

    def names(self, folder: Path) -> list[str]:
        """Return the names in a folder."""
        real = self.resolve(folder)
        is_new = real in self._folders and not self._files.is_dir(real)
        found = [] if is_new else self._files.names(real)
        return self._change(real, found)

    def _change(self, real: Path, names: list[str]) -> list[str]:
        """Return the names in a folder, without removed files and with new ones."""
        kept = [name for name in names if not self._is_out(real / name)]
        known = set(kept)
        return kept + sorted(name for name in self._added.get(real, ()) if name not in known)

    def _is_out(self, real: Path) -> bool:
        if real in self._folders:
            return False
        return real in self._gone or self._patch.get(real, b"") is None

    def walk(
        self,
        folder: Path,
        *,
        followlinks: bool = False,
        onerror: Callable[[OSError], object] | None = None,
    ) -> Iterator[Walked]:
        """Yield a folder and all below it; new folders come last."""
        for name, below, rest in self._files.walk(folder, followlinks=followlinks, onerror=onerror):
            real = self.resolve(Path(name))
            below[:] = [one for one in below if not self._is_out(real / one)]
            rest[:] = [one for one in self._change(real, rest) if real / one not in self._folders]
            yield name, below, rest
        top = self.resolve(folder)
        for new in sorted(one for one in self._folders if not self._files.is_dir(one)):
            if new == top or top in new.parents:
                names = self._change(new, [])
                below = [name for name in names if new / name in self._folders]
                files = [name for name in names if new / name not in self._folders]
                yield str(folder / new.relative_to(top)), below, files

    def repository_of(self, folder: Path) -> Path | None:
        """Return the top of the repository that a resolved folder is in."""
        return self._files.repository_of(folder)


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
