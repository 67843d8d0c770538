"""Two states of a fleet, to be compared: revisions of its repository, or the working tree."""

from pillarbook.book.sides.open import Sides, open_sides
from pillarbook.book.sides.resolve import Side, resolve_sides
from pillarbook.book.sides.side_files import load_settings_at
from pillarbook.book.sides.survey import Survey, Surveyed

__all__ = [
    "Side",
    "Sides",
    "Survey",
    "Surveyed",
    "load_settings_at",
    "open_sides",
    "resolve_sides",
]
