"""The first steps with a tree that nobody prepared: files to begin with, and what is missing."""

from pillarbook.book.start.begin import Begun, begin
from pillarbook.book.start.missing import Part

__all__ = ["Begun", "Part", "begin"]
