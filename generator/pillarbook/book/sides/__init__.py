"""Two states of a fleet, to be compared: revisions of its repository, or the working tree."""

from pillarbook.book.sides.resolve import Side, resolve_sides

__all__ = ["Side", "resolve_sides"]
