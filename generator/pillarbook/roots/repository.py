"""A git repository on this machine, read from its object database.

Nothing is checked out, fetched or run. Objects are read within the limits of a render, because a
few compressed bytes may become many.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pillarbook.roots.git_files import GitFiles, RepositoryError
from pillarbook.roots.git_references import GitReferences
from pillarbook.roots.merge_base import History, find_merge_base

if TYPE_CHECKING:
    import pygit2

Kind = Literal["file", "folder", "link", "submodule"]
# A tag may name a tag, and a hostile repository may have long chains of them.
MAX_TAGS = 10
"""The most tags in a chain."""
LARGEST_FOLDER = 32 * 1024 * 1024
"""Bytes of an object that is not a file: a commit, a tag, or a folder with a million names."""
LARGEST_FILE = 64 * 1024 * 1024
"""Bytes; a template or YAML of a larger file would exceed its own limits."""
_MEMBER = re.compile(rb"([0-7]+) ([^\0]+)\0(.{20})", re.DOTALL)
"""A member in the raw bytes of a folder: mode, name and id."""


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """A member of a folder of a commit."""

    name: str
    """The name; bytes that are not UTF-8 are escaped."""
    kind: Kind
    """The kind of object."""
    id: str
    """The object's id, in hexadecimal."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit, with its place in history."""

    id: str
    """Its id, in hexadecimal."""
    parents: tuple[str, ...]
    """The ids of its parents; these commits may be missing, as in a shallow clone."""
    folder: str
    """The id of its top folder."""
    seconds: int
    """The time of the commit, counted from 1970; a rebase sets it again."""
    date: str
    """The day on which its author wrote it, in the author's time zone: ``2024-02-29``."""
    author: str
    """The name of its author."""


class AmbiguousIdError(RepositoryError):
    """The beginning of an id is that of several objects."""

    def __init__(self, folder: Path, start: str) -> None:
        super().__init__(folder, f"has several objects whose ids begin with {start}")


class Repository:
    """A repository; the folders that were read are kept.

    Raises:
        RepositoryError: It is no repository, or leads to files that may not be read.
    """

    def __init__(
        self,
        folder: Path,
        *,
        allowed: Callable[[Path], bool],
        guard: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self.folder = folder
        """The folder."""
        self._guard = guard
        with guard():
            self.files = GitFiles(folder, allowed)
            """Git's own files."""
            self._repository = _open(self.files)
        self.references = GitReferences(self.files)
        """Branches, tags and the like."""
        # By object id, so never stale; kept as long as the repository is open.
        self._folders: dict[str, Mapping[str, TreeEntry]] = {}

    def find_commit(self, *references: str) -> str | None:
        """Return the commit of the first reference that exists, of some full names.

        Raises:
            RepositoryError: The object that it names is missing or broken.
        """
        import pygit2  # noqa: PLC0415 (a tenth of a second that few trees need)

        for name in references:
            if not pygit2.reference_is_valid_name(name):
                continue
            with self._guard():
                found = self.references.find(name)
                commit = None if found is None else self._peel(found)
            if commit is not None:
                return commit
        return None

    def folder_of(self, commit: str) -> str:
        """Return the id of a commit's top folder.

        Raises:
            RepositoryError: There is no such commit.
        """
        import pygit2  # noqa: PLC0415 (as above)

        with self._guard():
            loaded = self._load(commit)
            if not isinstance(loaded, pygit2.Commit):
                raise self._broken(commit)
            return str(loaded.tree_id)

    def find_head(self) -> str | None:
        """Return the id of the commit that is checked out; None before the first one.

        Raises:
            RepositoryError: The object that it names is missing or broken.
        """
        return self.find_commit("HEAD")

    def read_commit(self, commit: str) -> Commit | None:
        """Return a commit; None if it is missing, as after the end of a shallow clone."""
        import pygit2  # noqa: PLC0415 (as above)

        try:
            loaded = self._load(commit)
        except RepositoryError:
            return None
        if not isinstance(loaded, pygit2.Commit):
            return None
        return Commit(
            id=commit,
            parents=tuple(map(str, loaded.parent_ids)),
            folder=str(loaded.tree_id),
            seconds=loaded.commit_time,
            date=_day(loaded.author.time, loaded.author.offset),
            author=loaded.author.raw_name.decode("utf-8", "replace"),
        )

    def read_entries(self, folder: str) -> Mapping[bytes, tuple[bytes, bytes]]:
        """Return mode and id of a folder's members by name, as git stores them; nothing is cached.

        It is faster than ``read_members``, and empty if the folder is missing.
        """
        content = self.read_text(folder, LARGEST_FOLDER)
        return {
            name: (mode, object_id) for mode, name, object_id in _MEMBER.findall(content or b"")
        }

    def read_members(self, folder: str) -> dict[str, TreeEntry]:
        """Return the members of a folder by name; none if it is missing. Nothing is cached."""
        try:
            return {entry.name: entry for entry in self._list(folder)}
        except RepositoryError:
            return {}

    def read_text(self, file: str, most: int) -> bytes | None:
        """Return a file's content; None if it is missing, or has more than ``most`` bytes."""
        try:
            return self._read(file, most)
        except RepositoryError:
            return None

    def find_object(self, start: str) -> str | None:
        """Return the commit of an id or of its first characters; None if it is not a commit.

        At least four hexadecimal characters; the id may be that of an annotated tag.

        Raises:
            AmbiguousIdError: Several objects have this beginning.
            RepositoryError: The object is broken.
        """
        import pygit2  # noqa: PLC0415 (as above)

        with self._guard():
            try:
                found = str(self._repository[start].id)
            except KeyError:
                return None
            except ValueError as error:
                raise AmbiguousIdError(self.folder, start) from error
            except pygit2.GitError as error:
                raise self._broken(start) from error
            return self._peel(found)

    def history_of(self, commit: str) -> History:
        """Return the parents of a commit, and its time.

        Raises:
            RepositoryError: There is no such commit, as after the end of a shallow clone.
        """
        with self._guard():
            found = self.read_commit(commit)
        if found is None:
            raise self._broken(commit)
        is_end = commit in self.references.shallow
        return History(() if is_end else found.parents, found.seconds)

    def merge_base(self, one: str, other: str) -> str | None:
        """Return the best common ancestor of two commits; None if they have none.

        Raises:
            RepositoryError: A commit between them is missing.
        """
        import pygit2  # noqa: PLC0415 (as above)

        if self.references.shallow:
            return find_merge_base(one, other, self.history_of)
        try:
            with self._guard():
                found: object = self._repository.merge_base(one, other)  # None for strangers
        except (pygit2.GitError, KeyError, ValueError) as error:
            raise self._broken(f"{one} or {other}") from error
        return None if found is None else str(found)

    def messages_between(self, base: str, head: str, most: int) -> list[str]:
        """Return the messages of commits of the head that are not in the base, the newest first."""
        import pygit2  # noqa: PLC0415 (as above)

        found: list[str] = []
        try:
            with self._guard():
                walker = self._repository.walk(head, pygit2.enums.SortMode.TIME)
                walker.hide(base)
                found += (one.message for one in islice(walker, most))
        except (pygit2.GitError, KeyError, ValueError):
            return found  # the history of a shallow clone ends
        return found

    def list_folder(self, folder: str) -> Mapping[str, TreeEntry]:
        """Return the members of the folder with an id, by name, in git's order.

        Raises:
            RepositoryError: There is no such object, as in a shallow or partial clone.
        """
        if folder not in self._folders:
            with self._guard():
                self._folders[folder] = {entry.name: entry for entry in self._list(folder)}
        return self._folders[folder]

    def read_file(self, file: str) -> bytes | None:
        """Return the content of the file with an id; None if it has over ``LARGEST_FILE`` bytes.

        Raises:
            RepositoryError: There is no such object, as in a partial clone.
        """
        with self._guard():
            return self._read(file, LARGEST_FILE)

    def _read(self, file: str, most: int) -> bytes | None:
        import pygit2  # noqa: PLC0415 (as above)

        try:
            database = self._repository.odb
            _, size = database.read_header(file)
            return None if size > most else database.read(file)[1]
        except (pygit2.GitError, KeyError, ValueError) as error:
            raise self._broken(file) from error

    def _list(self, folder: str) -> Iterator[TreeEntry]:
        import pygit2  # noqa: PLC0415 (as above)

        tree = self._load(folder)
        members = tree if isinstance(tree, pygit2.Tree) else ()
        for member in members:
            name = (member.raw_name or b"").decode("utf-8", "surrogateescape")
            if name not in {"", ".", ".."} and "/" not in name:
                yield TreeEntry(name, _kind(member.filemode), str(member.id))

    def _peel(self, found: str) -> str | None:
        """Return the commit of an object or of a tag; None for any other object."""
        import pygit2  # noqa: PLC0415 (as above)

        for _ in range(MAX_TAGS):
            loaded = self._load(found)
            if isinstance(loaded, pygit2.Commit):
                return str(loaded.id)
            if not isinstance(loaded, pygit2.Tag):
                return None
            found = str(loaded.target)
        return None

    def _load(self, name: str) -> "pygit2.Object":
        """Return an object that is not a file."""
        import pygit2  # noqa: PLC0415 (as above)

        try:
            _, size = self._repository.odb.read_header(name)
            if size <= LARGEST_FOLDER:
                return self._repository[name]
        except (pygit2.GitError, KeyError, ValueError) as error:
            raise self._broken(name) from error
        raise RepositoryError(self.folder, f"holds {name}, which is too large")

    def _broken(self, what: str) -> RepositoryError:
        return RepositoryError(self.folder, f"lacks what {what} names, or cannot be read")


def _day(seconds: int, offset: int) -> str:
    """Return the day of a moment, in a time zone that is some minutes from Greenwich."""
    try:
        zone = timezone(timedelta(minutes=offset))
        return datetime.fromtimestamp(seconds, tz=zone).date().isoformat()
    except (OverflowError, OSError, ValueError):
        return "at an unknown date"


def _kind(mode: int) -> Kind:
    kinds: dict[int, Kind] = {0o040000: "folder", 0o120000: "link", 0o160000: "submodule"}
    return kinds.get(mode, "file")


def _open(files: GitFiles) -> "pygit2.Repository":
    """Return a repository with access to objects only: libgit2 reads no other files of it."""
    import pygit2  # noqa: PLC0415 (as above)

    repository = pygit2.Repository()
    repository.set_odb(pygit2.Odb(str(files.objects)))
    return repository
