"""The first steps with a tree that nobody prepared: files to begin with, and what is missing."""

from pillarbook.bootstrap.bootstrap import Begun, begin

__all__ = ["Begun", "begin"]
