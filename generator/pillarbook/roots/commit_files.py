"""The files of a commit, instead of those of the working tree.

A path below the repository's top is looked up in the commit, with the commit's links. All other
paths are read from disk. So a fleet of a commit has the same paths as the fleet on disk, and each
of its files has the content of the commit.
"""

import errno
import os
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping
from pathlib import Path

from pillarbook.roots.commit_paths import CommitPaths, ResolvedPath
from pillarbook.roots.file_access import DISK, Files, MayEnter, Walked
from pillarbook.roots.repository import Repository
from pillarbook.roots.revision import MAX_FILES, MAX_LEVELS, MAX_TIMES

Contents = Callable[[str, str], bytes]
"""Returns a file's content by its path in the commit and its object id; raises OSError if none."""


class CommitFiles(Files):
    """The files of a commit.

    ``home`` is the top of the working tree, or the bare repository; resolved. ``elsewhere`` has the
    files outside of it.
    """

    def __init__(
        self,
        repository: Repository,
        commit: str,
        home: Path,
        contents: Contents,
        elsewhere: Files = DISK,
    ) -> None:
        self._paths = CommitPaths(repository, commit, home)
        self._home = home
        self._contents = contents
        self._elsewhere = elsewhere
        self._mounts: dict[str, Files] = {}
        self.has_on_disk: Callable[[Path], bool] = lambda _: False
        """Says whether a path that the commit does not have is read from disk."""

    def mount(self, path: Path, files: Files) -> None:
        """Read a path below the top, such as that of a submodule, from other files."""
        self._mounts[str(path)] = files

    @property
    def missing(self) -> Mapping[str, str]:
        """Folders of the commit that cannot be read: the reason by path in the commit."""
        return self._paths.missing

    def _find(self, path: Path, *, follow: bool = True) -> tuple[ResolvedPath, Files | None]:
        """Return the target of a path, and the other files if the path is in one of them."""
        found = self._paths.find(path, follow=follow)
        if not found.is_inside:
            return found, self._elsewhere
        for mount, files in self._mounts.items():
            if found.real == mount or found.real.startswith(f"{mount}/"):
                return found, files
        if found.entry is None and self.has_on_disk(Path(found.real)):
            return found, DISK
        return found, None

    def resolve(self, path: Path) -> Path:
        """Return a path with its links followed."""
        found, other = self._find(path)
        return other.resolve(Path(found.real)) if other else Path(found.real)

    def is_file(self, path: Path) -> bool:
        """Say whether a path leads to a file."""
        found, other = self._find(path)
        return other.is_file(Path(found.real)) if other else found.kind == "file"

    def is_dir(self, path: Path) -> bool:
        """Say whether a path leads to a folder; a submodule is an empty one."""
        found, other = self._find(path)
        return other.is_dir(Path(found.real)) if other else found.kind in {"folder", "submodule"}

    def exists(self, path: Path) -> bool:
        """Say whether a path leads to anything."""
        found, other = self._find(path)
        return other.exists(Path(found.real)) if other else found.kind is not None

    def is_link(self, path: Path) -> bool:
        """Say whether a path is itself a link."""
        found, other = self._find(path, follow=False)
        return other.is_link(Path(found.real)) if other else found.kind == "link"

    def id_of(self, path: Path) -> str | None:
        """Return the id of the object at a path; None for a path outside, and if there is none."""
        entry = self._paths.find(path).entry
        return None if entry is None else entry.id

    def submodule_at(self, path: Path) -> str | None:
        """Return the commit of the submodule at a path; None if there is none."""
        entry = self._paths.find(path, follow=False).entry
        return entry.id if entry is not None and entry.kind == "submodule" else None

    def plain_id_of(self, below: str) -> str | None:
        """Return the id of the file at a path in the commit, if no link is on the way."""
        found = self._paths.find(self._home / below, follow=False)
        is_plain = found.kind == "file" and self._paths.below(found.real) == below
        return found.entry.id if found.entry is not None and is_plain else None

    def read(self, path: Path, most: int = -1, *, follow: bool = True) -> bytes:
        """Return a file's content, or its first bytes."""
        found, other = self._find(path)
        if other:
            return other.read(Path(found.real), most, follow=follow)
        if found.entry is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        if found.kind != "file":
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        content = self._contents(self._paths.below(found.real), found.entry.id)
        return content if most < 0 else content[:most]

    def names(self, folder: Path) -> list[str]:
        """Return the names in a folder."""
        found, other = self._find(folder)
        if other:
            return other.names(Path(found.real))
        if found.entry is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder))
        if found.kind == "file":
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
        names = list(self._paths.members(found))
        return names + self._names_on_disk(Path(found.real), frozenset(names))

    def _names_on_disk(self, folder: Path, known: Container[str]) -> list[str]:
        """Return the names of files of a folder that are read from disk."""
        try:
            names = DISK.names(folder)
        except OSError:
            return []
        return [
            name
            for name in names
            if name not in known
            and self.has_on_disk(folder / name)
            and not DISK.is_dir(folder / name)
        ]

    def walk(
        self,
        folder: Path,
        *,
        followlinks: bool = False,
        onerror: Callable[[OSError], object] | None = None,
    ) -> Iterator[Walked]:
        """Yield a folder and all below it; limited, as a few bytes may name endless folders."""
        place = self._paths.find(folder)
        if not place.is_inside:
            yield from self._elsewhere.walk(folder, followlinks=followlinks, onerror=onerror)
            return
        times: Counter[str] = Counter()
        count, waiting = 0, [(str(folder), 0)]
        while waiting:
            name, level = waiting.pop()
            found = self.id_of(Path(name)) or name
            times[found] += 1
            try:
                if times[found] > MAX_TIMES or count > MAX_FILES:
                    waiting.clear()
                    raise PermissionError(errno.EFBIG, "has too many files", name)
                below, others = self._list(Path(name))
            except OSError as error:
                if onerror is not None:
                    onerror(error)
                continue
            yield name, below, others
            count += len(below) + len(others)
            if level < MAX_LEVELS:
                full = (os.path.join(name, one) for one in reversed(below))  # noqa: PTH118
                waiting += [
                    (one, level + 1) for one in full if followlinks or not self.is_link(Path(one))
                ]

    def glob(self, pattern: str, folder: Path, may_enter: MayEnter) -> list[str]:
        """Return the paths below a folder that match a relative pattern, without hidden names."""
        if not self._paths.find(folder).is_inside:
            return self._elsewhere.glob(pattern, folder, may_enter)
        return super().glob(pattern, folder, may_enter)

    def repository_of(self, folder: Path) -> Path | None:
        """Return the top of the repository that a resolved folder is in."""
        is_here = folder.is_relative_to(self._home)
        return self._home if is_here else self._elsewhere.repository_of(folder)

    def _list(self, folder: Path) -> tuple[list[str], list[str]]:
        below: list[str] = []
        others: list[str] = []
        for name in self.names(folder):
            (below if self.is_dir(folder / name) else others).append(name)
        return below, others
