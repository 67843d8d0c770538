"""How the states of a minion use its pillar, without secrets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pillarbook.model import KeyPath
from pillarbook.redact.redacted_pillar import RedactedPillar

How = Literal["value", "all", "keys", "presence", "mapping"]
"""What was read of a key: ``value``, a scalar or a whole list; ``all``, a mapping with everything
below it; ``keys``, the keys of a mapping; ``presence``, whether the key exists; ``mapping``, that
it is a mapping, whose content has reads of its own."""
Missing = Literal["default", "bare"]
"""Whether a read of a missing key had a default."""


@dataclass(frozen=True, slots=True)
class KeyRead:
    """A read of a key path of the pillar."""

    path: KeyPath
    """The keys."""
    how: How = "value"
    """What was read."""
    missing: Missing | None = None
    """Whether a read of a missing key had a default; None if the minion has the key."""


@dataclass(frozen=True, slots=True, eq=False)
class SlsReads:
    """The reads of a state SLS in a minion's pillar; minions that share the render share this."""

    saltenv: str
    """Its environment."""
    sls: str
    """Its name; empty for the targets of the top file."""
    file: str
    """The file."""
    recorded: bool
    """Whether reads were recorded; False if the minion was compiled without recording."""
    reads: tuple[KeyRead, ...]
    """The reads of the file and of the files that it imports, in the order of first reads."""


Sources = Mapping[KeyPath, tuple[KeyPath, ...]]
"""By the path of a leaf in a chunk, the pillar keys whose values it depends on."""


@dataclass(frozen=True, slots=True)
class MinionStates:
    """The states of one minion."""

    states: RedactedPillar
    """Chunks and errors, as a pillar with the two lists ``chunks`` and ``errors``."""
    sls: tuple[SlsReads, ...]
    """The reads of each state SLS, in the order of rendering."""
    targets: SlsReads | None
    """The reads of the targets of the top file; None if there are none."""
    sources: tuple[Sources, ...]
    """For each chunk, the pillar keys that its arguments depend on; the key ``__id__`` is for the
    ID and for the presence of the state."""
    traced: bool
    """Whether all arguments were traced; False if there were too many."""
    recorded: bool
    """Whether reads were recorded; if not, it is unknown which SLS reads which key."""
