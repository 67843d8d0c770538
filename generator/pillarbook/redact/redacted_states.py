"""What the states of a minion made of its pillar, as far as others may see it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pillarbook.model import KeyPath
from pillarbook.redact.redacted_pillar import RedactedPillar

How = Literal["value", "all", "keys", "presence", "mapping"]
"""``value``: the value, a list as a whole; ``all``: a mapping with all that is below it; ``keys``:
which keys a mapping has; ``presence``: whether the key is there; ``mapping``: that it is a mapping,
of which nothing was read but what is told besides."""
Missing = Literal["default", "bare"]
"""Whether a read of a missing key had a default."""


@dataclass(frozen=True, slots=True)
class KeyRead:
    """A key path of the pillar that somebody asked for."""

    path: KeyPath
    """The keys."""
    how: How = "value"
    """What was asked."""
    missing: Missing | None = None
    """None where the minion has the key."""


@dataclass(frozen=True, slots=True, eq=False)
class SlsReads:
    """What one state SLS read of a minion's pillar; one object for all whose render is shared."""

    saltenv: str
    """Its environment."""
    sls: str
    """Its name; empty for the targets of the top file."""
    file: str
    """The file."""
    recorded: bool
    """Whether it is known; else the minion was compiled without recording."""
    reads: tuple[KeyRead, ...]
    """What it read, with the files that it imports, in the order of first reads."""


Sources = Mapping[KeyPath, tuple[KeyPath, ...]]
"""By the path of a leaf below a chunk, the pillar keys whose values it came from."""


@dataclass(frozen=True, slots=True)
class MinionStates:
    """The states of one minion."""

    states: RedactedPillar
    """Chunks and errors as a pillar with the two lists ``chunks`` and ``errors``."""
    sls: tuple[SlsReads, ...]
    """What each state SLS read, in the order in which they were rendered."""
    targets: SlsReads | None
    """What the targets of the top file read; None for nothing."""
    sources: tuple[Sources, ...]
    """For each chunk, where its arguments came from; the key ``__id__`` stands for the ID, or
    whether the state is there at all."""
    traced: bool
    """Whether all arguments were traced; else there were too many to try."""
    recorded: bool
    """Whether reads were recorded; else nobody knows who reads which key."""
