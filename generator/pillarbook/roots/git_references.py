"""The references of a repository: ``HEAD``, branches, tags, and upstreams of branches.

They are read from git's files, loose and packed, because libgit2 also reads every file that a
configuration includes (docs/decisions/0012). The configuration is read as text, only for options
such as a branch's upstream: nothing that it includes is read, and nothing that it names is run.
"""

import os
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from pillarbook.roots.git_files import LARGEST_POINTER, GitFiles, RepositoryError

# Symbolic references may name each other in a ring; git itself follows five.
MAX_STEPS = 5
"""The most symbolic references that are followed."""
MAX_NAMES = 20_000
"""The most loose references that are listed."""
LARGEST_REFERENCES = 64 * 1024 * 1024
"""The most bytes of the packed references."""
REFTABLE = (
    "keeps its references as a reftable, which is not read: name commits by their ids, or run"
    " `git refs migrate --ref-format=files`"
)
"""The words for a repository with the newer kind of references."""
_PACKED = re.compile(rb"^([0-9a-f]{40}) (\S+)\r?$", re.MULTILINE)
_ID = re.compile(r"[0-9a-f]{40}")
_FETCHED = re.compile(rb"[0-9a-f]{40}\b")
_SECTION = re.compile(r'^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]', re.MULTILINE)
_OPTION = re.compile(r"^[ \t]*([\w-]+)[ \t]*=[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_PARTIAL = re.compile(rb"^\s*(partialclonefilter|promisor)\s*=", re.IGNORECASE | re.MULTILINE)
_LOGGED = re.compile(
    rb"^([0-9a-f]{40}) ([0-9a-f]{40}) .*?> (\d{1,12}) [+-]\d{4}(?:\t.*)?$", re.MULTILINE
)
_SYMBOLIC = "ref:"
_OWN = ("refs/bisect/", "refs/worktree/", "refs/rewritten/")
"""References that each working tree has separately."""


class GitReferences:
    """The references of one repository."""

    def __init__(self, files: GitFiles) -> None:
        self._files = files

    @property
    def is_reftable(self) -> bool:
        """Whether the references have the newer format, which is not supported."""
        return (self._files.common / "reftable").is_dir()

    def find(self, name: str) -> str | None:
        """Return the id that a full name such as ``HEAD`` leads to; None if there is none.

        Raises:
            RepositoryError: It cannot be read.
        """
        for _ in range(MAX_STEPS):
            text = self._read(name)
            if text is None:
                return self._packed.get(name)
            if not text.startswith(_SYMBOLIC):
                return text if _ID.fullmatch(text) else None
            name = text.removeprefix(_SYMBOLIC).strip()
            if not name.startswith("refs/") or ".." in name:
                return None
        return None

    def leads_to(self, name: str) -> str | None:
        """Return the target of a symbolic reference; None if the reference is not symbolic.

        Raises:
            RepositoryError: It cannot be read.
        """
        text = self._read(name) or ""
        target = text.removeprefix(_SYMBOLIC).strip()
        return target if text.startswith(_SYMBOLIC) and target.startswith("refs/") else None

    def upstream_of(self, branch: str) -> str | None:
        """Return the full name of a branch's upstream, by its short name; None if it has none.

        Raises:
            RepositoryError: The configuration cannot be read.
        """
        found = self.options_of("branch", branch)
        remote, merged = found.get("remote"), found.get("merge", "")
        if not remote or not merged.startswith("refs/heads/"):
            return None
        if remote == ".":
            return merged
        return f"refs/remotes/{remote}/{merged.removeprefix('refs/heads/')}"

    def options_of(self, section: str, name: str | None = None) -> Mapping[str, str]:
        """Return the options of a section of the repository's own configuration, as written.

        Raises:
            RepositoryError: It cannot be read.
        """
        content = self._read_bytes(self._files.common / "config", LARGEST_POINTER) or b""
        text = content.decode("utf-8", "replace")
        found: dict[str, str] = {}
        starts = [*_SECTION.finditer(text)]
        ends = [*(start.start() for start in starts[1:]), len(text)]
        for start, end in zip(starts, ends, strict=True):
            if (start[1].lower(), start[2]) == (section, name):
                body = text[start.end() : end]
                found |= {key.lower(): value.strip('"') for key, value in _OPTION.findall(body)}
        return found

    @cached_property
    def shallow(self) -> frozenset[str]:
        """The commits whose parents a shallow clone lacks.

        Raises:
            RepositoryError: They cannot be read.
        """
        content = self._read_bytes(self._files.common / "shallow", LARGEST_REFERENCES)
        return frozenset(line for line in (content or b"").decode("ascii", "replace").split())

    @property
    def is_partial(self) -> bool:
        """Whether the clone fetches objects only when git asks for them."""
        content = self._read_bytes(self._files.common / "config", LARGEST_POINTER) or b""
        return _PARTIAL.search(content) is not None

    def log_of(self, name: str) -> list[tuple[str, str, int]]:
        """Return the log of a reference, the oldest first: id before, id after, time.

        ``name`` is its full name. Empty if git keeps no log of it, as in a bare repository.

        Raises:
            RepositoryError: It cannot be read.
        """
        is_own = not name.startswith("refs/") or name.startswith(_OWN)
        file = (self._files.own if is_own else self._files.common) / "logs" / name
        content = self._read_bytes(file, LARGEST_REFERENCES) or b""
        return [
            (old.decode(), new.decode(), int(seconds))
            for old, new, seconds in _LOGGED.findall(content)
        ]

    def names(self) -> Iterator[str]:
        """Yield the full names of branches and tags, in no particular order.

        Raises:
            RepositoryError: They cannot be read.
        """
        yield from self._packed
        count = 0
        top = self._files.common
        for folder, _, files in os.walk(top / "refs"):
            below = os.path.relpath(folder, top).replace(os.sep, "/")
            for name in files:
                count += 1
                if count > MAX_NAMES:
                    return
                yield f"{below}/{name}"

    # Read once: a busy repository has thousands, and each lookup of a name uses them. A command
    # uses the references of its start.
    @cached_property
    def _packed(self) -> Mapping[str, str]:
        content = self._read_bytes(self._files.common / "packed-refs", LARGEST_REFERENCES)
        return {
            name.decode("utf-8", "surrogateescape"): object_id.decode()
            for object_id, name in _PACKED.findall(content or b"")
        }

    def _read(self, name: str) -> str | None:
        """Return the line of a loose reference; None if there is no such file."""
        is_own = not name.startswith("refs/") or name.startswith(_OWN)
        file = (self._files.own if is_own else self._files.common) / name
        if name == "FETCH_HEAD":
            fetched = _FETCHED.match(self._read_bytes(file, LARGEST_REFERENCES) or b"")
            return fetched[0].decode() if fetched else None
        try:
            return self._files.read_line(file)
        except (OSError, ValueError) as error:
            raise RepositoryError(self._files.folder, "cannot be read") from error

    def _read_bytes(self, file: Path, most: int) -> bytes | None:
        try:
            return self._files.read_bytes(file, most)
        except OSError as error:
            raise RepositoryError(self._files.folder, "cannot be read") from error
