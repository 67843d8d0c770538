"""The lookups of a compile, besides the files that it rendered.

Together with the renders and their reads, they tell whether the result would be the same with other
files.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from pillarbook.compile.project import FileRead


class RootsLookup(NamedTuple):
    """A lookup in the pillar's roots; a tuple, because each compile has many."""

    what: Literal["top", "sls", "matching"]
    """The kind: the top file, the file of an SLS, or the SLS names that match patterns."""
    name: Any
    """The path, the name or the patterns."""
    saltenv: Any
    """The environment."""


@dataclass(frozen=True, slots=True)
class PathLookup:
    """A file that an external pillar looked up, or a folder that it listed."""

    path: Path
    """The path."""
    deep: bool
    """Whether all names below the folder count."""


Look: TypeAlias = RootsLookup | PathLookup | FileRead
"""One lookup."""
