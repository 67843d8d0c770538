"""Finds which files of a working tree git reports as unmodified.

Filters may change the content between a file and git's object: git-crypt, LFS, line ends. They must
not be run. So the index gives the state that git saw, and the file's stamp shows if it is the same.
"""

import errno
import hashlib
import os
import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from pillarbook.roots.folder import LARGEST_FILE
from pillarbook.roots.git_files import RepositoryError
from pillarbook.roots.git_ignored import is_ignored
from pillarbook.roots.git_index import LARGEST, NO_ENTRIES, IndexEntry, read_index
from pillarbook.roots.repository import Repository

_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:ext-.*\n)*oid sha256:([0-9a-f]{64})\n"
)
_ENCRYPTED = b"\0GITCRYPT\0"
GIT_CRYPT = "git-crypt"
_CONVERTS = re.compile(r"(?:^|\s)(?:text|eol|crlf)\b", re.MULTILINE)
_SIZE_BITS = 0xFFFFFFFF


def filtered_by(content: bytes) -> str | None:
    """Return the name of the filter that encoded a content; None for plain content."""
    if content.startswith(_ENCRYPTED):
        return GIT_CRYPT
    return "Git LFS" if _POINTER.match(content) else None


class WorkTree:
    """The working tree of a repository."""

    def __init__(self, repository: Repository, home: Path) -> None:
        self._repository = repository
        self._home = home

    def unmodified(self, path: str, blob: str) -> bytes | None:
        """Return a file's content if git reports it as the unmodified object ``blob``, else None.

        The path is relative to the top.
        """
        entry = self._entries.get(path)
        if entry is None or entry.id != blob:
            return None
        try:
            stamp, content = self._read(path)
        except OSError:
            return None
        written = divmod(stamp.st_mtime_ns, 1_000_000_000)
        # Some builds of git keep no nanoseconds.
        is_same = entry.modified in {written, (written[0], 0)}
        # A file that was written at the time of the index may have changed since.
        is_settled = entry.modified < self._index_written
        # As git does it: the stamp spares the hash of nearly all files (docs/decisions/0018).
        if is_same and is_settled and stamp.st_size & _SIZE_BITS == entry.size:
            return content
        return content if self._is_same(path, content, blob) else None

    def is_below(self, file: Path) -> bool:
        """Say whether a path is below the top."""
        return file.is_relative_to(self._home) and file != self._home

    def ignores(self, file: Path) -> bool:
        """Say whether git ignores a path on disk, so that it has only one state and no history."""
        is_below = self.is_below(file) and not self._has(file)
        return is_below and is_ignored(file, self._home, self._repository.files.common)

    def _has(self, file: Path) -> bool:
        """Say whether git has a file on disk, or any file below a folder."""
        path = file.relative_to(self._home).as_posix()
        if path in self._entries or not file.is_dir():
            return path in self._entries
        return any(name.startswith(f"{path}/") for name in self._entries)

    def read(self, path: str) -> bytes:
        """Return a file's content, by its path from the top.

        Raises:
            OSError: There is no such file, it cannot be read, or a link is on its path.
        """
        return self._read(path)[1]

    def _read(self, path: str) -> tuple[os.stat_result, bytes]:
        file = self._home / path
        # A link in the working tree would make another file part of a commit.
        if os.path.realpath(file) != str(file) or not file.is_file():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(file))
        with file.open("rb") as stream:
            stamp = os.fstat(stream.fileno())
            content = stream.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(file))
        return stamp, content

    def _is_same(self, path: str, content: bytes, blob: str) -> bool:
        """Say whether a file has the content of an object, also after known filters."""
        if hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest() == blob:  # noqa: S324
            return True
        try:
            kept = self._repository.read_file(blob) or b""
        except RepositoryError:
            return False
        pointer = _POINTER.match(kept)
        if pointer is not None:
            return hashlib.sha256(content).hexdigest() == pointer[1].decode()
        is_converted = content.replace(b"\r\n", b"\n") == kept.replace(b"\r\n", b"\n")
        return is_converted and self._converts(path)

    def _converts(self, path: str) -> bool:
        """Say whether git may convert the line ends of a file."""
        options = self._repository.references.options_of("core")
        if options.get("autocrlf", "false").lower() in {"true", "input"}:
            return True
        files = [(self._home / path).parent / ".gitattributes"]
        files += [folder / ".gitattributes" for folder in files[0].parent.parents]
        inside = [file for file in files if file.is_relative_to(self._home)]
        inside.append(self._repository.files.common / "info/attributes")
        return any(_CONVERTS.search(_read(file)) for file in inside)

    # Both are read once, so that entries and stamp are of one index: after a `git add` meanwhile,
    # a changed file would count as unmodified.
    @cached_property
    def _entries(self) -> Mapping[str, IndexEntry]:
        files = self._repository.files
        content = files.read_bytes(files.own / "index", LARGEST)
        return NO_ENTRIES if content is None else read_index(content)

    @cached_property
    def _index_written(self) -> tuple[int, int]:
        stamp = (self._repository.files.own / "index").stat()
        return divmod(stamp.st_mtime_ns, 1_000_000_000)


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace") if file.is_file() else ""
    except OSError:
        return ""
