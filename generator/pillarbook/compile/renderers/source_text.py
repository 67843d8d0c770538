"""The text of a render, with the source line of each character."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace

Line = tuple[str, int | None]
"""A file as it is shown, and a line in it, counted from 1."""


@dataclass(slots=True, unsafe_hash=True)
class Segment:
    """A run of characters with one origin; never changed, and made by the million."""

    start: int
    """The first character in the text."""
    file: str
    """The source file, as it is shown."""
    line: int | None
    """The source line of its first character."""
    verbatim: bool
    """Whether the file contains it unchanged, so that its lines are lines of the file."""
    secret: str | None = None
    """Why it is secret (``gpg renderer``); None if it is not."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text with its segments."""

    text: str
    """The text itself."""
    segments: tuple[Segment, ...]
    """In order; the first one begins at 0 unless there is none."""
    _starts: list[int] = field(default_factory=list, compare=False, repr=False)
    _feeds: list[int] = field(default_factory=list, compare=False, repr=False)

    @classmethod
    def of_file(cls, text: str, file: str) -> "SourceText":
        """Return a file's own text."""
        return cls(text, (Segment(0, file, 1, verbatim=True),))

    def locate(self, offset: int) -> Line:
        """Return the file and line of a character."""
        if not self._starts:
            self._starts.extend(segment.start for segment in self.segments)
        segment = self.segments[max(bisect_right(self._starts, offset) - 1, 0)]
        if not segment.verbatim or segment.line is None:
            return segment.file, segment.line
        lines = self._line_feeds()
        return segment.file, segment.line + bisect_left(lines, offset) - bisect_left(
            lines, segment.start
        )

    def _line_feeds(self) -> list[int]:
        if not self._feeds:
            at = self.text.find("\n")
            while at >= 0:
                self._feeds.append(at)
                at = self.text.find("\n", at + 1)
            self._feeds.append(len(self.text))  # after every offset, so never counted
        return self._feeds

    def is_verbatim(self, start: int, end: int) -> bool:
        """Say whether the file itself contains the characters from ``start`` to ``end``."""
        ends = [segment.start for segment in self.segments[1:]] + [len(self.text)]
        return all(
            segment.verbatim
            for segment, last in zip(self.segments, ends, strict=True)
            if segment.start < end and start < last
        )

    def secret_at(self, start: int, end: int) -> str | None:
        """Return why characters from ``start`` to ``end`` are secret; None if they are not."""
        stretches = self.secret_stretches()
        return next((why for first, last, why in stretches if first < end and start < last), None)

    def secret_stretches(self) -> tuple[tuple[int, int, str], ...]:
        """Return ``(start, end, reason)`` of each secret range, in order."""
        if not any(segment.secret for segment in self.segments):
            return ()
        ends = [segment.start for segment in self.segments[1:]] + [len(self.text)]
        return tuple(
            (segment.start, end, segment.secret)
            for segment, end in zip(self.segments, ends, strict=True)
            if segment.secret and segment.start < end
        )

    def printed_lines(self) -> dict[str, int]:
        """Return, by file, the lines of all characters, as a bit set."""
        found: dict[str, int] = {}
        ends = [segment.start for segment in self.segments[1:]] + [len(self.text)]
        for segment, end in zip(self.segments, ends, strict=True):
            if segment.line is None or end <= segment.start:
                continue
            # The line feed at the end of a run belongs to the line that it ends.
            more = self.text.count("\n", segment.start, end - 1) if segment.verbatim else 0
            lines = ((1 << (more + 1)) - 1) << segment.line
            found[segment.file] = found.get(segment.file, 0) | lines
        return found

    def mark_secret(self, reason: str) -> "SourceText":
        """Return this text, marked as secret."""
        marked = (replace(segment, secret=segment.secret or reason) for segment in self.segments)
        return SourceText(self.text, tuple(marked))

    def splice(
        self, start: int, end: int, replacement: str, secret: str | None = None
    ) -> "SourceText":
        """Return the text with one range replaced; its origin is that of the range's start."""
        grown = len(replacement) - (end - start)
        file, line = self.locate(start)
        tail_file, tail_line = self.locate(end)
        tail = [segment for segment in self.segments if segment.start <= end][-1]
        kept = [segment for segment in self.segments if segment.start < start]
        kept.append(Segment(start, file, line, verbatim=False, secret=secret))
        kept.append(
            Segment(start + len(replacement), tail_file, tail_line, tail.verbatim, tail.secret)
        )
        kept.extend(
            replace(segment, start=segment.start + grown)
            for segment in self.segments
            if segment.start > end
        )
        return SourceText(self.text[:start] + replacement + self.text[end:], tuple(kept))
