"""The files of a pillar and what compiles made of them, as far as others may see."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

Asked = Literal["grain", "pillar", "option", "function", "id"]
"""What a render may ask for."""


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
    """Something that a render asked for."""

    asked: Asked
    """What kind of thing it is."""
    name: str
    """Its name: a key path, or that of a function; empty for everything."""


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """A file that took part in the render of another."""

    file: str
    """The file, as origins show it."""
    saltenv: str
    """The environment that it was looked for in."""
    path: str
    """Its path there."""


@dataclass(frozen=True, slots=True)
class FileRender:
    """What a render made of a file; one object for all minions of which that is true."""

    file: str
    """The file."""
    saltenv: str
    """The environment that it was rendered in."""
    sls: str
    """The name that it was rendered by; empty for a top file."""
    imports: tuple[ImportedFile, ...]
    """The other files of the pillar's roots that took part."""
    reads: tuple[SourceRead, ...]
    """What it asked for, with what it imports."""
    printed: tuple[tuple[str, int], ...] | None
    """The lines that printed anything, by file, as sets of bits; None if that is not known."""
    is_recorded: bool
    """Whether it is known what it asked for."""


@dataclass(frozen=True, slots=True)
class MinionRenders:
    """What the compile of one minion rendered."""

    renders: tuple[FileRender, ...]
    """Its files, top files first."""
    includes: tuple[tuple[str, str, str], ...]
    """Each include: environment, the SLS that includes, the SLS included."""


@dataclass(frozen=True, slots=True)
class MaskedLine:
    """A line of a file; between its parts stood something that is hidden."""

    parts: tuple[str, ...]
    """What may be shown; more than one where something is hidden between them."""
    prints: bool = True
    """Whether there is anything on it besides tags of a template that print nothing."""
    tags: tuple[str, ...] = ()
    """The words that these tags begin with: ``if``, ``else``, ``endfor``."""

    @property
    def is_hidden(self) -> bool:
        """Whether nothing but blanks is shown."""
        return len(self.parts) > 1 and not any(part.strip() for part in self.parts)


@dataclass(frozen=True, slots=True)
class JudgedLines:
    """What compiles have said of the lines of a file, counted from 1."""

    shown: Collection[int] = frozenset()
    """Lines whose values are shown on other pages."""
    secret: Collection[int] = frozenset()
    """Lines of which a value was redacted."""
    unrendered: Collection[int] = frozenset()
    """Lines that no render printed."""
