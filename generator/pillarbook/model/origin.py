"""Where a value was given."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

from pillarbook.model.keypath import KeyPath


# Not frozen, and made by the million: docs/decisions/0004.
@dataclass(slots=True, unsafe_hash=True)
class Origin:
    """One place that gave a value, whether the value stands or was overridden later.

    Never changed; not declared frozen for the reason that ``tree`` gives.
    """

    file: str
    """The file, relative to the master file's folder (in a git tree: to the repository)."""
    line: int | None
    """The line, counted from 1; None where the file has no lines to name."""
    sls: str | None
    """The SLS the value came with; an external pillar's name as ``ext_pillar:stack``."""
    saltenv: str | None
    """The environment of that SLS."""
    value: Any
    """The value given there: a scalar, an empty mapping or an empty list."""
    below: KeyPath = ()
    """Where the value lay in a container that gave way as a whole; empty for all others. A position
    in a list is a ``ListIndex``."""

    @property
    def place(self) -> Hashable:
        """What tells the origin from another; the same place may come in twice, by two includes."""
        return self.spot, self.below

    @property
    def spot(self) -> tuple[Hashable, ...]:
        """The place in the file alone, with the value; what it lay in since does not count.

        File and line come first.
        """
        return self.file, self.line, self.sls, self.saltenv, repr(self.value)

    def moved_below(self, key: Hashable) -> "Origin":
        """Return the origin as one of a value that lay under a key of what gave way."""
        below = (key, *self.below)
        return Origin(self.file, self.line, self.sls, self.saltenv, self.value, below)

    def __repr__(self) -> str:
        """Return the place only: a clear value never gets into a log by accident."""
        return f"Origin({self.file}:{self.line}, sls={self.sls!r}, saltenv={self.saltenv!r})"


@dataclass(slots=True, unsafe_hash=True, repr=False)
class SecretOrigin(Origin):
    """An origin whose value is secret, whatever value replaces it."""

    secret: str = ""
    """Why."""
    ciphertext: bytes | None = None
    """The digest of the ciphertext that the value was opened from; None if it was not kept."""

    def moved_below(self, key: Hashable) -> "SecretOrigin":
        """Return the origin as one of a value that lay under a key of what gave way."""
        return replace(self, below=(key, *self.below))

    @classmethod
    def of(
        cls, origin: Origin, value: Any, secret: str, ciphertext: bytes | None = None
    ) -> "SecretOrigin":
        """Return an origin with the reason why a value that it gives is secret."""
        return cls(
            origin.file,
            origin.line,
            origin.sls,
            origin.saltenv,
            value,
            origin.below,
            secret,
            ciphertext,
        )
