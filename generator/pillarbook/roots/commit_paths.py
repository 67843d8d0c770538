"""Follows paths on disk and in a commit: links in the commit are the commit's."""

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pillarbook.roots.git_files import RepositoryError
from pillarbook.roots.repository import Kind, Repository, TreeEntry
from pillarbook.roots.revision import MAX_LINKS


@dataclass(frozen=True, slots=True)
class ResolvedPath:
    """What a path leads to."""

    real: str
    """The path with its links followed."""
    entry: TreeEntry | None
    """What the commit has there; None for nothing, and where the path is one on disk."""
    is_inside: bool
    """Whether it is in the repository, so that the commit says what is there."""

    @property
    def kind(self) -> Kind | None:
        """What the commit has there."""
        return None if self.entry is None else self.entry.kind


class CommitPaths:
    """The paths of a commit; where each leads is kept."""

    def __init__(self, repository: Repository, commit: str, home: Path) -> None:
        self._repository = repository
        self._home = str(home)
        self._top = TreeEntry("", "folder", repository.folder_of(commit))
        self._places: dict[tuple[str, bool], ResolvedPath] = {}
        self.missing: dict[str, str] = {}
        """Folders of the commit that cannot be read, by their path in it, with the reason."""

    def find(self, path: Path, *, follow: bool = True) -> ResolvedPath:
        """Return where a path leads; ``follow`` also follows a link at its end.

        A relative path counts from the process's folder.

        Raises:
            OSError: It leads through too many links.
            ValueError: It has a NUL.
        """
        key = (str(path), follow)
        if key not in self._places:
            self._places[key] = self._follow(key[0], follow=follow)
        return self._places[key]

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
        """Return where a member leads that is a link; None if it is none."""
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
    """How far a path was followed."""

    def __init__(self, home: str, top: TreeEntry) -> None:
        self._home = home
        self._top = top
        self.inside: list[tuple[str, TreeEntry | None]] | None = None
        """Names and entries below the top, where it is inside; the top itself is the first."""
        self.real = ""
        """Where it is, outside."""
        self._enter("/")

    def _enter(self, full: str) -> None:
        self.real = full
        self.inside = [("", self._top)] if full == self._home else None

    def go_down(self, name: str, entry: TreeEntry | None) -> None:
        """Go to a member; ``entry`` is what the commit has there, inside of it."""
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
        """Return what is there."""
        entry = self.inside[-1][1] if self.inside else None
        return ResolvedPath(self.full(), entry, is_inside=self.inside is not None)
