"""Finds which lines of a text were in an earlier text, and which file it was in.

libgit2 finds renames too, but reads contents of any size for this (docs/decisions/0012).
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from pillarbook.roots.repository import Repository, TreeEntry

LARGEST_TEXT = 4 * 1024 * 1024
"""Bytes; lines of larger files are not compared."""
MAX_FOLDERS = 500
"""The most folders that are read; a tree can name one again and again."""
MAX_CANDIDATES = 100
"""The most files that are compared line by line."""
LEAST_ALIKE = 0.5
"""The least share of common lines for a rename, as in git."""


@dataclass(frozen=True, slots=True)
class LineMap:
    """Runs of lines that two texts have in common."""

    starts: tuple[int, ...]
    """The first line of each run in the later text, counted from 1, in order."""
    ends: tuple[int, ...]
    """The line after each run."""
    shifts: tuple[int, ...]
    """The number of lines that each run was further down in the earlier text."""

    def find(self, line: int) -> int | None:
        """Return the number of a line in the earlier text; None for a new line."""
        at = bisect_right(self.starts, line) - 1
        return line + self.shifts[at] if at >= 0 and line < self.ends[at] else None

    @property
    def size(self) -> int:
        """The number of lines that the texts have in common."""
        return sum(end - start for start, end in zip(self.starts, self.ends, strict=True))


def map_lines(old: bytes, new: bytes) -> LineMap | None:
    """Return the lines of a text that were in an earlier one; None if the texts cannot be compared.

    Line ends are ignored, because git may store others than it checks out.
    """
    import pygit2  # noqa: PLC0415 (a tenth of a second that few commands need)

    old, new = old.replace(b"\r\n", b"\n"), new.replace(b"\r\n", b"\n")
    last = count_lines(new) + 1
    if old == new:
        return LineMap((1,), (last,), (0,))
    patch = pygit2.Patch.create_from(old, new, context_lines=0)
    if patch.delta.is_binary:
        return None
    starts, ends, shifts = [1], [], [0]
    for hunk in patch.hunks:
        # The position of a hunk without new lines is the line before it.
        first = hunk.new_start if hunk.new_lines else hunk.new_start + 1
        ends.append(first)
        starts.append(first + hunk.new_lines)
        shifts.append(shifts[-1] + hunk.old_lines - hunk.new_lines)
    return LineMap(tuple(starts), (*ends, last), tuple(shifts))


def cut_hunks(old: bytes, new: bytes) -> list[tuple[slice, slice]]:
    """Return where two texts differ: the lines of the earlier one, and the lines instead of them.

    The hunks are those of ``git diff -U0``, so that people find them there. Lines are counted from
    0 and end with a line feed, as in git.
    """
    import pygit2  # noqa: PLC0415 (a tenth of a second that few commands need)
    from pygit2.enums import DiffOption  # noqa: PLC0415

    flags = DiffOption.INDENT_HEURISTIC | DiffOption.FORCE_TEXT
    patch = pygit2.Patch.create_from(old, new, context_lines=0, flag=flags)
    return [
        (_slice(hunk.old_start, hunk.old_lines), _slice(hunk.new_start, hunk.new_lines))
        for hunk in patch.hunks
    ]


def _slice(start: int, lines: int) -> slice:
    first = start - 1 if lines else start  # without lines, git gives the line before
    return slice(first, first + lines)


def count_lines(text: bytes) -> int:
    """Return the number of lines of a text; the last one counts with or without a line end."""
    return text.count(b"\n") + (not text.endswith(b"\n") and text != b"")


def find_earlier_name(
    repository: Repository, old: str, new: str, file: str
) -> tuple[str | None, str | None]:
    """Return path and id of the removed file that an added file was before; Nones if there is none.

    ``old`` and ``new`` are the top folders before and after.
    """
    gone = list(_find_gone(repository, old, new))
    for path, entry in gone:
        if entry.id == file:
            return path, entry.id
    content = repository.read_text(file, LARGEST_TEXT)
    best: tuple[float, str | None, str | None] = (LEAST_ALIKE, None, None)
    for path, entry in gone[:MAX_CANDIDATES] if content else ():
        before = repository.read_text(entry.id, LARGEST_TEXT)
        share = _share(before, content) if before and content else 0.0
        if share > best[0] or (share == best[0] and best[1] is None):
            best = (share, path, entry.id)
    return best[1:]


def _find_gone(repository: Repository, old: str, new: str) -> Iterator[tuple[str, TreeEntry]]:
    """Yield the files of a folder that are missing at their paths in the other one."""
    waiting: list[tuple[str, str, str | None]] = [("", old, new)]
    looked = 0
    while waiting and looked < MAX_FOLDERS:
        looked += 1
        prefix, before, after = waiting.pop()
        there = {} if after is None else repository.read_members(after)
        for name, entry in repository.read_members(before).items():
            other = there.get(name)
            if other is not None and (other.id == entry.id or entry.kind != "folder"):
                continue
            if entry.kind == "folder":
                inside = other.id if other is not None and other.kind == "folder" else None
                waiting.append((f"{prefix}{name}/", entry.id, inside))
            elif entry.kind == "file":
                yield prefix + name, entry


def _share(old: bytes, new: bytes) -> float:
    known = map_lines(old, new)
    return 0.0 if known is None else known.size / max(count_lines(old), count_lines(new), 1)
