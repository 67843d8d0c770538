"""The result of each line of a file, in the order of the file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pillarbook.redact.source_files import MaskedLine
from pillarbook.report.source_fleet import Place
from pillarbook.report.source_use import FileUse, LineUse, Minions

Never = Literal["never rendered", "never true", "never runs"]
"""Why a line of a file that somebody gets gives no value, or why no line of its branch does."""
OPENING = frozenset(("if", "for"))
MIDDLE = frozenset(("elif", "else"))
CLOSING = frozenset(("endif", "endfor"))
NOTHING = LineUse()
LEAST_FOLDED = 3
"""Lines of which nothing is shown, from which on they are shown as one."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of a file with its result."""

    number: int
    """The line, counted from 1."""
    last: int
    """The last of some lines of which nothing is shown; else the line itself."""
    parts: tuple[str, ...]
    """Its text; something is hidden between the parts."""
    won: Minions
    """The minions that get a value of it."""
    overridden: tuple[tuple[Place, Minions], ...]
    """Those for which a value of it was overridden, by what did it."""
    never: Never | None
    """Why it gives nothing to anybody; None if it does, or if that is not known."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many lines of files printed anything for anybody."""

    printed: int = 0
    """The lines that did."""
    lines: int = 0
    """All lines that may print something."""

    @property
    def percent(self) -> int | None:
        """The share, rounded down; None without a line."""
        return self.printed * 100 // self.lines if self.lines else None

    def __add__(self, other: "Coverage") -> "Coverage":
        return Coverage(self.printed + other.printed, self.lines + other.lines)


def find_coverage(lines: Sequence[MaskedLine], use: FileUse) -> Coverage:
    """Return how much of a file was rendered for anybody; nothing if that is not known."""
    if not use.is_covered:
        return Coverage()
    printing = [number for number, line in enumerate(lines, 1) if line.prints]
    return Coverage(sum(use.printed >> number & 1 for number in printing), len(printing))


def describe_lines(lines: Sequence[MaskedLine], use: FileUse) -> Iterator[SourceLine]:
    """Yield the lines of a file with their results; some that are hidden as one."""
    never = _find_never(lines, use)
    number = 1
    while number <= len(lines):
        last = _end_of_hidden(lines, number)
        one = use.lines.get(number, NOTHING)
        places = sorted(one.overridden.items(), key=lambda item: (item[0][0], item[0][1] or 0))
        yield SourceLine(
            number,
            last,
            lines[number - 1].parts,
            one.won,
            tuple(places),
            never.get(number),
        )
        number = last + 1


def _end_of_hidden(lines: Sequence[MaskedLine], number: int) -> int:
    """Return the last of the lines from one on of which nothing is shown; it itself if few are."""
    end = number
    while end <= len(lines) and (
        lines[end - 1].is_hidden or (end > number and not "".join(lines[end - 1].parts).strip())
    ):
        end += 1
    while end > number and not lines[end - 2].is_hidden:
        end -= 1
    return end - 1 if end - number >= LEAST_FOLDED else number


def _find_never(lines: Sequence[MaskedLine], use: FileUse) -> dict[int, Never]:
    """Return the lines that nobody's render printed, and the tags above them."""
    if not use.is_covered:
        return {}
    found: dict[int, Never] = {
        number: "never rendered"
        for number, line in enumerate(lines, 1)
        if line.prints and not use.printed >> number & 1
    }
    open_tags: list[tuple[str, int]] = []
    for number, line in enumerate(lines, 1):
        for tag in line.tags:
            if tag in MIDDLE | CLOSING and open_tags:
                word, first = open_tags.pop()
                inside = [one for one in range(first + 1, number) if lines[one - 1].prints]
                if inside and all(one in found for one in inside):
                    found[first] = "never runs" if word == "for" else "never true"
            if tag in OPENING | MIDDLE:
                open_tags.append((tag, number))
    return found
