"""Follows paths on disk and in a commit; a link in the commit has the target of the commit."""

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pillarbook.model.limited_cache import recall
from pillarbook.roots.git_files import RepositoryError
from pillarbook.roots.repository import Kind, Repository, TreeEntry
from pillarbook.roots.revision import MAX_LINKS


@dataclass(frozen=True, slots=True)
class ResolvedPath:
    """The target of a path."""

    real: str
    """The path with its links followed."""
    entry: TreeEntry | None
    """The commit's entry there; None if there is none, and for a path on disk."""
    is_inside: bool
    """Whether it is in the repository, so that the commit decides what is there."""

    @property
    def kind(self) -> Kind | None:
        """The kind of the commit's entry."""
        return None if self.entry is None else self.entry.kind


class CommitPaths:
    """The paths of a commit; the target of each is kept."""

    def __init__(self, repository: Repository, commit: str, home: Path) -> None:
        self._repository = repository
        self._home = str(home)
        self._top = TreeEntry("", "folder", repository.folder_of(commit))
        self._places: dict[tuple[str, bool], ResolvedPath] = {}
        self.missing: dict[str, str] = {}
        """Folders of the commit that cannot be read: the reason by path in the commit."""

    def find(self, path: Path, *, follow: bool = True) -> ResolvedPath:
        """Return the target of a path; ``follow`` also follows a link at its end.

        A relative path is relative to the current folder of the process.

        Raises:
            OSError: The path has too many links.
            ValueError: The path has a NUL.
        """
        key = (str(path), follow)
        return recall(self._places, key, lambda: self._follow(key[0], follow=follow))

    def below(self, real: str) -> str:
        """Return a path as it is in the commit; empty for the top."""
        return real[len(self._home) :].lstrip("/")

    def members(self, place: ResolvedPath) -> Iterator[str]:
        """Yield the names in a folder of the commit; none for a submodule.

        Raises:
            PermissionError: The clone lacks the folder.
        """
        if place.entry is None or place.entry.kind != "folder":
            return
        try:
            yield from self._repository.list_folder(place.entry.id)
        except RepositoryError as error:
            self.missing[self.below(place.real)] = error.reason
            raise PermissionError(errno.EACCES, error.reason, place.real) from error

    def _follow(self, path: str, *, follow: bool) -> ResolvedPath:
        if "\0" in path:
            raise ValueError("embedded null byte")
        way = _Way(self._home, self._top)
        waiting = [*reversed(os.path.join(os.getcwd(), path).split("/"))]  # noqa: PTH109, PTH118
        links = 0
        while waiting:
            name = waiting.pop()
            if name == "..":
                way.go_up()
            if name in {"", ".", ".."}:
                continue
            link = self._find_link(way, name) if follow or any(waiting) else None
            if link is None:
                way.go_down(name, self._member(way, name))
                continue
            links += 1
            if links > MAX_LINKS:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
            if link.startswith("/"):
                way = _Way(self._home, self._top)
            waiting += reversed(link.split("/"))
        return way.place()

    def _find_link(self, way: "_Way", name: str) -> str | None:
        """Return the target of a member that is a link; None if it is not a link."""
        if way.inside is None:
            full = os.path.join(way.real, name)  # noqa: PTH118 (for each part of a path)
            return os.readlink(full) if os.path.islink(full) else None  # noqa: PTH114, PTH115
        entry = self._member(way, name)
        return self._target(entry) if entry is not None and entry.kind == "link" else None

    def _member(self, way: "_Way", name: str) -> TreeEntry | None:
        above = way.inside[-1][1] if way.inside else None
        if above is None or above.kind != "folder":
            return None
        try:
            return self._repository.list_folder(above.id).get(name)
        except RepositoryError as error:
            self.missing[self.below(way.full())] = error.reason
            return None

    def _target(self, link: TreeEntry) -> str:
        try:
            content = self._repository.read_file(link.id)
        except RepositoryError as error:
            raise OSError(errno.EIO, error.reason, link.name) from error
        target = (content or b"").decode("utf-8", "surrogateescape")
        if not target or "\0" in target:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), link.name)
        return target


class _Way:
    """The part of a path that was followed so far."""

    def __init__(self, home: str, top: TreeEntry) -> None:
        self._home = home
        self._top = top
        self.inside: list[tuple[str, TreeEntry | None]] | None = None
        """Names and entries from the top to here, the top first; None outside of the repository."""
        self.real = ""
        """The path, outside of the repository."""
        self._enter("/")

    def _enter(self, full: str) -> None:
        self.real = full
        self.inside = [("", self._top)] if full == self._home else None

    def go_down(self, name: str, entry: TreeEntry | None) -> None:
        """Go to a member; ``entry`` is the commit's entry, inside of the repository."""
        if self.inside is None:
            self._enter(os.path.join(self.real, name))  # noqa: PTH118 (for each part of a path)
        else:
            self.inside.append((name, entry))

    def go_up(self) -> None:
        """Go to the folder above."""
        if self.inside is not None and len(self.inside) > 1:
            self.inside.pop()
        else:
            self._enter(os.path.dirname(self.real))  # noqa: PTH120 (as above)

    def full(self) -> str:
        """Return the path so far."""
        if self.inside is None:
            return self.real
        return "/".join([self._home.rstrip("/"), *(name for name, _ in self.inside[1:])]) or "/"

    def place(self) -> ResolvedPath:
        """Return the target that was found."""
        entry = self.inside[-1][1] if self.inside else None
        return ResolvedPath(self.full(), entry, is_inside=self.inside is not None)
