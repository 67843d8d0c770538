"""The files of a pillar and their renders, without secrets."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

Asked = Literal["grain", "pillar", "option", "function", "id"]
"""The kinds of reads of a render."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of the pillar's roots that has a page."""

    file: str
    """The file, as origins show it."""
    saltenv: str
    """The environment that it belongs to first."""
    name: str
    """The name of the SLS; of any other file, its path in the environment."""
    is_sls: bool
    """Whether it is an SLS; else a file that templates import."""
    withheld: str | None
    """Why its text is not shown; None if it is."""


@dataclass(frozen=True, slots=True)
class SourceRead:
    """A read of a render."""

    asked: Asked
    """The kind of read."""
    name: str
    """The key path, or the name of the function; empty for everything."""


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """A file that another file imports in its render."""

    file: str
    """The file, as origins show it."""
    saltenv: str
    """The environment of the search for it."""
    path: str
    """Its path in the environment."""


@dataclass(frozen=True, slots=True)
class FileRender:
    """A render of a file; one object for all minions that share the render."""

    file: str
    """The file."""
    saltenv: str
    """The environment of the render."""
    sls: str
    """The SLS name of the render; empty for a top file."""
    imports: tuple[ImportedFile, ...]
    """The other files of the pillar's roots that it imports."""
    reads: tuple[SourceRead, ...]
    """The reads of the file and of the files that it imports."""
    printed: tuple[tuple[str, int], ...] | None
    """By file, the lines that printed text, as a bit set; None if unknown."""
    is_recorded: bool
    """Whether reads were recorded."""


@dataclass(frozen=True, slots=True)
class MinionRenders:
    """The renders in the compile of one minion."""

    renders: tuple[FileRender, ...]
    """Its files, top files first."""
    includes: tuple[tuple[str, str, str], ...]
    """Each include: environment, the SLS that includes, the SLS included."""


@dataclass(frozen=True, slots=True)
class MaskedLine:
    """A line of a file; text between its parts is hidden."""

    parts: tuple[str, ...]
    """The texts that are shown; more than one if text between them is hidden."""
    prints: bool = True
    """Whether the line has more than template tags that print nothing."""
    tags: tuple[str, ...] = ()
    """The first words of these tags: ``if``, ``else``, ``endfor``."""

    @property
    def is_hidden(self) -> bool:
        """Whether only white space is shown."""
        return len(self.parts) > 1 and not any(part.strip() for part in self.parts)


@dataclass(frozen=True, slots=True)
class JudgedLines:
    """What the compiles found out about the lines of a file, counted from 1."""

    shown: Collection[int] = frozenset()
    """Lines whose values are shown on other pages."""
    secret: Collection[int] = frozenset()
    """Lines with a redacted value."""
    unrendered: Collection[int] = frozenset()
    """Lines that no render printed."""
