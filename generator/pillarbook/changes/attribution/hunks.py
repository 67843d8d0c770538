"""Hunks: the pieces in which a file differs between two sides, each of which can be taken back."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from pillarbook.compare.atoms import Cited
from pillarbook.compare.change import Change
from pillarbook.redact import RedactedOrigin
from pillarbook.roots.line_maps import cut_hunks

LARGEST = 8 * 1024
"""Bytes; a larger file is not parsed, because it is parsed once for each hunk."""
MOST_PARTS = 8
"""Lines of a hunk up to which each of them can be taken back alone."""
_TEMPLATE = (b"{%", b"{{", b"{#", b"#!")
"""Marks of templates, which make a file more than YAML until it is rendered."""
_SEEN = ("anchor", "tag", "implicit", "value", "style", "flow_style", "explicit", "version", "tags")
"""The attributes of an event that do not depend on its position."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines of a file that differ from the other side, without context."""

    file: Path
    """The file's path with its links followed."""
    shown: str
    """The file as it is shown."""
    base: tuple[int, int]
    """The lines in the base, the first and the one after the last, counted from 0."""
    head: tuple[int, int]
    """The lines of the head that replace them."""

    def lines_on(self, side: str) -> range:
        """Return the numbers of the lines on a side, counted from 1 as people do."""
        first, end = self.base if side == "base" else self.head
        return range(first + 1, end + 1)

    def parts(self) -> tuple["Hunk", ...]:
        """Return its lines as hunks, if each line of the base has one in the head; else nothing."""
        old, new = (range(*lines) for lines in (self.base, self.head))
        if len(old) != len(new) or not 1 < len(new) <= MOST_PARTS:
            return ()
        pairs = zip(old, new, strict=True)
        return tuple(
            replace(self, base=(one, one + 1), head=(other, other + 1)) for one, other in pairs
        )


def line_of(hunk: Hunk) -> Cited:
    """Return the first line of a hunk, on the side that has lines."""
    side = "base" if hunk.lines_on("base") and not hunk.lines_on("head") else "head"
    return Cited(hunk.shown, hunk.lines_on(side).start, side)


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file that differs between the sides."""

    file: Path
    """Its path with links followed."""
    base: bytes | None
    """Its content in the base; None if it does not exist there."""
    head: bytes | None
    hunks: tuple[Hunk, ...]
    """The parts that differ; a single one if only one side has the file."""

    def without(self, taken_back: Collection[Hunk]) -> bytes | None:
        """Return the head's content with some hunks, or parts of them, taken back.

        It is None for no file.
        """
        if self.base is None or self.head is None:
            return self.base if self.hunks[0] in taken_back else self.head
        old, new = _lines(self.base), _lines(self.head)
        lines: list[bytes] = []
        at = 0
        own = (hunk for hunk in taken_back if hunk.file == self.file)
        for hunk in sorted(own, key=lambda one: one.head):
            lines += [*new[at : hunk.head[0]], *old[slice(*hunk.base)]]
            at = hunk.head[1]
        lines += new[at:]
        # The last line of a file may have no line feed, but another line may follow it now.
        ended = [line if line.endswith(b"\n") else line + b"\n" for line in lines[:-1]]
        return b"".join([*ended, *lines[-1:]])


def cut(file: Path, shown: str, base: bytes | None, head: bytes | None) -> ChangedFile:
    """Return the hunks of a file.

    ``file`` is the path with its links followed; content is None on a side without the file.
    """
    old, new = _lines(base or b""), _lines(head or b"")
    if base is None or head is None:
        return ChangedFile(file, base, head, (Hunk(file, shown, (0, len(old)), (0, len(new))),))
    pieces = [
        Hunk(file, shown, (left.start, left.stop), (right.start, right.stop))
        for left, right in cut_hunks(base, head)
    ]
    return ChangedFile(file, base, head, tuple(pieces))


def holds(hunk: Hunk, side: str, origin: RedactedOrigin | None) -> bool:
    """Say whether a value comes from a line of a hunk."""
    if origin is None or origin.line is None or origin.file != hunk.shown:
        return False
    return origin.line in hunk.lines_on(side)


def find_line(hunk: Hunk, change: Change) -> Cited | None:
    """Return the line of a hunk that a change's value comes from; None for another hunk's."""
    for side, origin in (("head", change.after_origin), ("base", change.before_origin)):
        if origin is not None and origin.line is not None and holds(hunk, side, origin):
            return Cited(hunk.shown, origin.line, side)
    return None


def _lines(content: bytes) -> list[bytes]:
    return [line for line in re.split(rb"(?<=\n)", content) if line]


def describe_invisible(hunk: Hunk, file: ChangedFile) -> str:
    """Describe a hunk that makes no difference to any reader; empty for all others."""
    if _is_comment(file.base, hunk.base) and _is_comment(file.head, hunk.head):
        return "only comments and empty lines"
    if file.base is None or file.head is None:
        return ""
    without = file.without((hunk,))
    if without is not None and _are_same_yaml(file.head, without):
        return "only comments and spaces"
    return ""


def _is_comment(content: bytes | None, lines: tuple[int, int]) -> bool:
    found = (content or b"").splitlines()[slice(*lines)]
    return all(not line.strip() or line.lstrip().startswith(b"#") for line in found)


def _are_same_yaml(one: bytes, other: bytes) -> bool:
    """Say whether two texts without templates are the same YAML, quotes and all."""
    for content in (one, other):
        if len(content) > LARGEST or any(mark in content for mark in _TEMPLATE):
            return False
    try:
        return list(_events(one)) == list(_events(other))
    except (yaml.YAMLError, ValueError):
        return False


def _events(content: bytes) -> Iterator[tuple[object, ...]]:
    for event in yaml.parse(content.decode(), Loader=yaml.CSafeLoader):
        yield type(event), *(getattr(event, name, None) for name in _SEEN)
