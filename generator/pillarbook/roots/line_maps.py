"""Which lines of a text stood in an earlier one, as a diff has it."""

from bisect import bisect_right
from dataclasses import dataclass

LARGEST_TEXT = 4 * 1024 * 1024
"""Bytes; of larger files no lines are compared."""


@dataclass(frozen=True, slots=True)
class LineMap:
    """Runs of lines that two texts have in common."""

    starts: tuple[int, ...]
    """The first line of each run in the later text, counted from 1, in order."""
    ends: tuple[int, ...]
    """The line behind each."""
    shifts: tuple[int, ...]
    """How much further down the run stood in the earlier text."""

    def find(self, line: int) -> int | None:
        """Return where a line of the later text was in the earlier one; None for a new one."""
        at = bisect_right(self.starts, line) - 1
        return line + self.shifts[at] if at >= 0 and line < self.ends[at] else None

    @property
    def size(self) -> int:
        """How many lines the texts have in common."""
        return sum(end - start for start, end in zip(self.starts, self.ends, strict=True))


def map_lines(old: bytes, new: bytes) -> LineMap | None:
    """Return which lines of a text stood in an earlier one; None if no lines can be told.

    How lines end does not count: git may keep others than it checks out.
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
        # A hunk without new lines is told by the line before it.
        first = hunk.new_start if hunk.new_lines else hunk.new_start + 1
        ends.append(first)
        starts.append(first + hunk.new_lines)
        shifts.append(shifts[-1] + hunk.old_lines - hunk.new_lines)
    return LineMap(tuple(starts), (*ends, last), tuple(shifts))


def cut_hunks(old: bytes, new: bytes) -> list[tuple[slice, slice]]:
    """Return where two texts differ: the lines in the earlier one, and those in their place.

    Of all ways to tell it, this is that of ``git diff -U0``, so that people find the hunks there.
    Lines are counted from 0 and end with a line feed, as git has it.
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
    first = start - 1 if lines else start  # without lines, the one before is told
    return slice(first, first + lines)


def count_lines(text: bytes) -> int:
    """Return how many lines a text has, the last one with or without its end."""
    return text.count(b"\n") + (not text.endswith(b"\n") and text != b"")
