"""What a compile looked at besides the files that it rendered.

Together with the renders and their own reads this says whether a compile would come to the same
where other files lie.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from pillarbook.compile.project import FileRead


class RootsLookup(NamedTuple):
    """A question to the pillar's roots; a tuple, as each compile has many."""

    what: Literal["top", "sls", "matching"]
    """For the top file, for the file of an SLS, or for the SLS names that patterns fit."""
    name: Any
    """The path, the name or the patterns."""
    saltenv: Any
    """The environment."""


@dataclass(frozen=True, slots=True)
class PathLookup:
    """A file that an external pillar looked for, or a folder that it listed."""

    path: Path
    """The path."""
    deep: bool
    """Whether all names below the folder count, not only those in it."""


Look: TypeAlias = RootsLookup | PathLookup | FileRead
"""One thing that was looked at."""
