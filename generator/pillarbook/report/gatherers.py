"""What is gathered of a fleet while the pages of its minions are written, in one process or more.

Each process gathers of the minions whose pages it writes. One of them takes what the others have
gathered, and knows then what it would know had it written all pages: whichever process wrote which
page, and whichever is taken first. So a gatherer never asks which minion came first, but which one
stands first in the inventory.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from pillarbook.redact.redacted_states import MinionStates
from pillarbook.report.minion import MinionPage
from pillarbook.report.sides import MinionSides

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class WrittenMinion:
    """A minion whose page was just written."""

    rank: int
    """Its place in the inventory, counted from 0."""
    minion: str
    """Its id as it is shown."""
    sides: MinionSides
    """Its pillar as it is declared, and in the environments that are compared."""
    states: MinionStates | None
    """Its states, if the fleet has any."""
    page: MinionPage
    grains: Mapping[str, Any]
    """Its grains, redacted."""


class Gatherer(Protocol):
    """Gathers something of one minion after the other."""

    def add(self, written: WrittenMinion) -> None:
        """Take a minion."""

    def give(self) -> Any:
        """Return all that was gathered, as plain data for the same gatherer in another process.

        A secret may be in it as ``Redacted`` only: place numbers differ between processes.
        """

    def take(self, given: Any) -> None:
        """Take what the same gatherer has given in another process, of other minions."""


@dataclass(slots=True)
class _Count:
    """How often something came up."""

    number: int
    first: tuple[int, int]
    """The first minion that has it, and its place among what came up there."""


@dataclass(slots=True)
class Tally(Generic[Key]):
    """Counts things, in the order in which they come up in the fleet."""

    _counts: dict[Key, _Count] = field(default_factory=dict)

    def add(self, key: Key, rank: int, number: int = 1) -> None:
        """Count something that a minion has, or that minions from one on have."""
        known = self._counts.get(key)
        if known is None:
            self._counts[key] = _Count(number, (rank, len(self._counts)))
            return
        known.number += number
        if rank < known.first[0]:
            known.first = rank, len(self._counts)

    def take(self, other: "Tally[Key]") -> None:
        """Count what others have counted."""
        for key, count in other._counts.items():  # noqa: SLF001 (of this class)
            known = self._counts.get(key)
            if known is None:
                self._counts[key] = _Count(count.number, count.first)
            else:
                known.number += count.number
                known.first = min(known.first, count.first)

    def items(self) -> Iterable[tuple[Key, int]]:
        """Return each thing with its number, in the order in which they come up."""
        ordered = sorted(self._counts.items(), key=lambda item: item[1].first)
        return [(key, count.number) for key, count in ordered]

    def __len__(self) -> int:
        return len(self._counts)
