"""Positions in files, key paths in a pillar, and origins: the lines that set a value."""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Position:
    """A line of a file; prints as ``file:line`` or ``file:line:column``."""

    file: str
    """The file, relative to the repository, without one to the master file's folder."""
    line: int | None = None
    """The line, counted from 1; None for the file as a whole."""
    column: int | None = None
    """The column, counted from 1."""

    def __str__(self) -> str:
        """Return ``file:line:column`` as far as it is known."""
        parts = (self.file, self.line, self.column)
        return ":".join(str(part) for part in parts if part is not None)


class ListIndex(int):
    """A position in a list, unlike a key that is a number."""

    __slots__ = ()


KeyPath = tuple[Hashable, ...]
"""Keys from the top; an integer is a position in a list if the value above is one."""


def format_path(path: KeyPath, delimiter: str = ":") -> str:
    """Return a path as people write it: ``nginx:workers``, ``users:0:name``."""
    return delimiter.join(str(key) for key in path)


def parse_path(text: str) -> tuple[str, ...]:
    """Return the keys of ``text``, all of them text; the caller tries ``8080`` as a number, too."""
    return tuple(text.split(":")) if text else ()


# Not frozen, and made by the million: docs/decisions/0004.
@dataclass(slots=True, unsafe_hash=True)
class Origin:
    """One line that set a value, even if a later one overrides it.

    Never changed; not declared frozen for the reason in ``tree``.
    """

    file: str
    """The file, relative to the repository, without one to the master file's folder."""
    line: int | None
    """The line, counted from 1; None if it is unknown."""
    sls: str | None
    """The SLS of the value; for an external pillar its name, as ``ext_pillar:stack``."""
    saltenv: str | None
    """The environment of that SLS."""
    value: Any
    """The value set there: a scalar, an empty mapping or an empty list."""
    below: KeyPath = ()
    """The path of the value in a container that was overridden as a whole; empty for all others. A
    position in a list is a ``ListIndex``."""
    replaced: bool = field(default=False, kw_only=True)
    """Whether a container in which it was has been replaced as a whole, and it is listed now at its
    own key, so that ``below`` is empty or shorter."""

    @property
    def position(self) -> Position:
        """The position that set the value."""
        return Position(self.file, self.line)

    @property
    def place(self) -> Hashable:
        """The identity of the origin; two includes may give the same place twice."""
        return self.spot, self.below

    @property
    def spot(self) -> tuple[Hashable, ...]:
        """The file, line, SLS, environment and value, without the container."""
        return self.file, self.line, self.sls, self.saltenv, repr(self.value)

    def moved_below(self, key: Hashable) -> "Origin":
        """Return the origin for a value under a key of an overridden container."""
        below = (key, *self.below)
        where = self.file, self.line, self.sls, self.saltenv
        return Origin(*where, self.value, below, replaced=self.replaced)

    def moved_up(self) -> Self:
        """Return the origin for the member of an overridden container to which it belongs."""
        return replace(self, below=self.below[1:], replaced=True)

    def __repr__(self) -> str:
        """Return the place only, so that no clear value gets into a log."""
        return f"Origin({self.file}:{self.line}, sls={self.sls!r}, saltenv={self.saltenv!r})"


@dataclass(slots=True, unsafe_hash=True, repr=False)
class SecretOrigin(Origin):
    """An origin whose value is secret, whatever value replaces it."""

    secret: str = ""
    """The reason."""
    ciphertext: bytes | None = None
    """The digest of the ciphertext of the value; None if it was not kept."""

    def moved_below(self, key: Hashable) -> "SecretOrigin":
        """Return the origin for a value under a key of an overridden container."""
        return replace(self, below=(key, *self.below))

    @classmethod
    def of(
        cls, origin: Origin, value: Any, secret: str, ciphertext: bytes | None = None
    ) -> "SecretOrigin":
        """Return an origin with the reason for which its value is secret."""
        place = (origin.file, origin.line, origin.sls, origin.saltenv)
        return cls(*place, value, origin.below, secret, ciphertext, replaced=origin.replaced)
