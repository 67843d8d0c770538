"""A place in a file."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Position:
    """A line of a file; prints as ``file:line`` or ``file:line:column``."""

    file: str
    """The file, relative to the master file's folder (in a git tree: to the repository)."""
    line: int | None = None
    """The line, counted from 1; None where the fault concerns the file as a whole."""
    column: int | None = None
    """The column, counted from 1."""

    def __str__(self) -> str:
        """Return ``file:line:column`` as far as it is known."""
        parts = (self.file, self.line, self.column)
        return ":".join(str(part) for part in parts if part is not None)
