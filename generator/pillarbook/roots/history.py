"""Finds when lines of files last changed, in the history of a git repository.

All requested files are followed in one walk, from the newest commit backwards, and only as far as
necessary: the first commit that changed any line of a value is the last one that changed the value.
A file is followed if it was renamed, or moved with small changes. At a merge, a line is followed in
any parent that has it unchanged.

Nothing is checked out or run, and git's configuration is not read. The walk is limited. If a limit
or the end of a shallow clone stops it, the lines are at least that old.
"""

import heapq
import time
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Literal, TypeAlias

from pillarbook.model.limited_cache import LimitedCache, recall
from pillarbook.roots.line_maps import LARGEST_TEXT, LineMap, find_earlier_name, map_lines
from pillarbook.roots.repository import Commit, Repository

# Limits the time of a build; older lines are reported as at least as old as the last commit read.
MAX_COMMITS = 10_000
"""The most commits that are read; they take about two seconds."""
# A single commit may change any number of files, so the number of commits alone is no limit.
MAX_SECONDS = 10.0
"""The time in seconds after which the walk ends, for any number of commits."""
Status = Literal["committed", "changed", "untracked"]
Range: TypeAlias = tuple[int, int]
"""The first line and the last, counted from 1."""
Line: TypeAlias = tuple[int, int]
"""A line of a file, and the number of its value."""
Lines: TypeAlias = dict[Line, None]
"""Some lines, in order."""
FolderEntry: TypeAlias = tuple[bytes, bytes]
"""Mode and id of a member of a folder."""
FolderEntries: TypeAlias = Mapping[bytes, FolderEntry]
"""The entries of a folder, by name."""
FOLDER, FILE = b"40000", b"100"
"""The mode of a folder, and the first characters of a file's mode."""
MOST_DROPS = 50
"""The most times that a walk removes lines of settled values."""
# By object id, so never stale. Neighbouring commits share nearly all folders.
MAX_FOLDERS = 1000
"""The most folders that are kept."""


@dataclass(frozen=True, slots=True)
class LineAge:
    """When some lines of a file last changed."""

    status: Status
    """``changed``: differs from the commit; ``untracked``: in a file that git does not have."""
    commit: str | None = None
    """The last commit that changed one of the lines, in hexadecimal."""
    date: str | None = None
    """The day on which its author wrote it."""
    at_least: bool = False
    """Whether the lines may be older: the history is missing, or not read that far."""
    author: str | None = None
    """The commit's author; None if not requested."""


@dataclass(frozen=True, slots=True)
class WantedLines:
    """Lines of a file in the working tree."""

    path: str
    """The file, relative to the repository, with slashes."""
    content: bytes
    """The content of the file."""
    ranges: tuple[Range, ...]
    """The lines of each value."""


def find_ages(
    repository: Repository, wanted: Iterable[WantedLines], most_commits: int = MAX_COMMITS
) -> dict[tuple[str, Range], LineAge]:
    """Return when lines last changed, by path and range; each wanted file occurs once.

    Raises:
        RepositoryError: The checked-out commit cannot be read.
    """
    head = repository.find_head()
    commit = None if head is None else repository.read_commit(head)
    return _Walk(repository, most_commits).run(commit, wanted)


class _Walk:
    """One walk through history.

    ``_waiting`` has the lines to search, by commit and path. A set of lines belongs to one commit.
    It moves unchanged to the parent if the file is the same there.
    """

    def __init__(self, repository: Repository, most_commits: int) -> None:
        self._repository = repository
        self._left = most_commits
        self._deadline = time.monotonic() + MAX_SECONDS
        self._values: list[tuple[str, Range]] = []
        self._ages: dict[int, LineAge] = {}
        self._commits: dict[str, Commit | None] = {}
        # By object id, which is a digest of the content. A commit is compared with its parent, and
        # then the parent with its own parent, so each folder is needed twice in a row.
        self._folders = LimitedCache[bytes, FolderEntries](MAX_FOLDERS)
        self._waiting: dict[str, dict[bytes, Lines]] = {}
        self._queue: list[tuple[int, int, Commit]] = []
        self._numbers = count()
        self._maps: dict[tuple[str, str], LineMap | None] = {}

    def run(
        self, head: Commit | None, wanted: Iterable[WantedLines]
    ) -> dict[tuple[str, Range], LineAge]:
        for file in wanted:
            self._begin(head, file)
        # A removal reads all waiting lines, and each commit settles only a few of many values.
        step = len(self._values) // MOST_DROPS
        settled = len(self._ages)
        while self._queue:
            _, _, commit = heapq.heappop(self._queue)
            self._look_at(commit, self._waiting.pop(commit.id))
            if len(self._ages) > settled + step or len(self._ages) == len(self._values):
                settled = len(self._ages)
                self._drop_settled()
        return {self._values[number]: age for number, age in self._ages.items()}

    def _begin(self, head: Commit | None, file: WantedLines) -> None:
        """Start with the committed lines of a file; the others have no history."""
        lines: Lines = {}
        for first, last in file.ranges:
            number = len(self._values)
            self._values.append((file.path, (first, last)))
            lines.update(((line, number), None) for line in range(first, last + 1))
        path = file.path.encode("utf-8", "surrogateescape")
        known = None if head is None else self._find(head.folder, path)
        if head is None or known is None:
            self._settle(lines, LineAge("untracked"))
            return
        committed = self._read(known)
        unchanged = None if committed is None else map_lines(committed, file.content)
        kept, left = _split(lines, unchanged)
        self._settle(left, LineAge("changed"))
        self._wait(head, path, _without(kept, self._ages))

    def _find(self, top: str, path: bytes) -> str | None:
        """Return the id of the file at a path; None for a folder or a link."""
        found = (FOLDER, bytes.fromhex(top))
        for name in path.split(b"/"):
            member = self._members(found).get(name)
            if member is None:
                return None
            found = member
        return found[1].hex() if found[0].startswith(FILE) else None

    def _members(self, folder: FolderEntry | None) -> FolderEntries:
        """Return the entries of a folder; cached, because two commits in sequence need them."""
        if folder is None or folder[0] != FOLDER:
            return {}
        return recall(
            self._folders, folder[1], lambda: self._repository.read_entries(folder[1].hex())
        )

    def _read(self, file: str) -> bytes | None:
        return self._repository.read_text(file, LARGEST_TEXT)

    def _wait(self, commit: Commit, path: bytes, lines: Lines) -> None:
        """Add lines to search in a commit; does nothing without lines."""
        if not lines:
            return
        files = self._waiting.get(commit.id)
        if files is None:
            files = self._waiting[commit.id] = {}
            # Equal times come in the order of discovery: children before parents.
            heapq.heappush(self._queue, (-commit.seconds, next(self._numbers), commit))
        files.setdefault(path, {}).update(lines)

    def _settle(self, lines: Iterable[Line], age: LineAge) -> None:
        """Record when lines changed; of a value, the first record counts, which is the newest."""
        for _, number in lines:
            self._ages.setdefault(number, age)

    def _drop_settled(self) -> None:
        """Remove the waiting lines of values that are settled."""
        for commit, files in self._waiting.items():
            left = {path: _without(lines, self._ages) for path, lines in files.items()}
            self._waiting[commit] = {path: lines for path, lines in left.items() if lines}

    def _look_at(self, commit: Commit, files: dict[bytes, Lines]) -> None:
        """Move lines that a parent has to the parent; the commit itself changed the others."""
        if not files:
            return
        self._left -= 1
        is_over = self._left < 0 or time.monotonic() > self._deadline
        is_cut = is_over
        for parent_id in () if is_over else commit.parents:
            read = partial(self._repository.read_commit, parent_id)
            parent = recall(self._commits, parent_id, read)
            if parent is None:
                is_cut = True
            elif files:
                files = self._pass_on(commit, parent, files)
        age = LineAge("committed", commit.id, commit.date, is_cut)
        for lines in files.values():
            self._settle(lines, age)

    def _pass_on(
        self, commit: Commit, parent: Commit, files: dict[bytes, Lines]
    ) -> dict[bytes, Lines]:
        """Move the lines that a parent has unchanged to the parent; return the other lines."""
        old = (FOLDER, bytes.fromhex(parent.folder))
        new = (FOLDER, bytes.fromhex(commit.folder))
        paths = [path.split(b"/") for path in files]
        left: dict[bytes, Lines] = {}
        for parts, before, now in self._find_changed(old, new, paths, 0):
            path = b"/".join(parts)
            earlier, known = self._find_earlier(parent, commit, path, before, now)
            kept, left[path] = _split(files.pop(path), self._map(known, now))
            self._wait(parent, earlier, kept)
        for path, lines in files.items():
            self._wait(parent, path, lines)
        return {path: lines for path, lines in left.items() if lines}

    def _find_changed(
        self, old: FolderEntry | None, new: FolderEntry, paths: Sequence[list[bytes]], depth: int
    ) -> Iterator[tuple[list[bytes], FolderEntry | None, str]]:
        """Yield those of some paths whose files differ between two folders, with both files."""
        if old == new:
            return
        before, after = self._members(old), self._members(new)
        below: dict[bytes, list[list[bytes]]] = {}
        for path in paths:
            name = path[depth]
            if before.get(name) != after.get(name):
                below.setdefault(name, []).append(path)
        for name, inside in below.items():
            member = after[name]
            if member[0] == FOLDER:
                yield from self._find_changed(before.get(name), member, inside, depth + 1)
            else:
                yield inside[0], before.get(name), member[1].hex()

    def _find_earlier(
        self, parent: Commit, commit: Commit, path: bytes, before: FolderEntry | None, now: str
    ) -> tuple[bytes, str | None]:
        """Return the path and id of a file before a commit, which may have renamed it."""
        if before is not None and before[0].startswith(FILE):
            return path, before[1].hex()
        name, found = find_earlier_name(self._repository, parent.folder, commit.folder, now)
        return path if name is None else name.encode("utf-8", "surrogateescape"), found

    def _map(self, before: str | None, now: str) -> LineMap | None:
        """Return which lines of a file were in another before; None if none were."""
        if before is None:
            return None
        if (before, now) not in self._maps:
            old, new = self._read(before), self._read(now)
            self._maps[before, now] = None if old is None or new is None else map_lines(old, new)
        return self._maps[before, now]


def _split(lines: Lines, known: LineMap | None) -> tuple[Lines, Lines]:
    """Return the lines that were there before, with their old numbers, and those that were not."""
    if known is None:
        return {}, lines
    kept: Lines = {}
    left: Lines = {}
    for line, number in lines:
        before = known.find(line)
        if before is None:
            left[line, number] = None
        else:
            kept[before, number] = None
    return kept, left


def _without(lines: Lines, settled: Container[int]) -> Lines:
    return {line: None for line in lines if line[1] not in settled}
