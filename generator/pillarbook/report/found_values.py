"""Values as a search finds them: a line of text each, with the first minions that have it.

The pages of a key with very many values tell only where they are set, and no page lists all values
of a grain. The search finds each still, so its text is kept with the few minions that are named.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Generic, TypeVar

from pillarbook.model import format_path
from pillarbook.model.limited_cache import RecentCache
from pillarbook.redact.redacted_pillar import Redacted
from pillarbook.report.gatherers import WrittenMinion
from pillarbook.report.grain_rows import list_values, read_once

MOST_MINIONS = 10
"""Minions of one value that a search names."""
MAX_TEXT = 80
"""Characters of a value that a search finds it by."""
Place = TypeVar("Place", bound=Hashable)


def search_text(value: Any) -> str | None:
    """Return what a value is found by; None if nobody looks for it, or must not find it."""
    if value is None or isinstance(value, bool | dict | list | Redacted):
        return None
    text = value if isinstance(value, str) else str(value)
    return text[:MAX_TEXT].strip() or None


@dataclass(slots=True)
class FoundValues(Generic[Place]):
    """Values with where each is; which was taken first makes no difference."""

    _minions: dict[tuple[str, Place], tuple[int, ...]] = field(default_factory=dict)

    def add(self, text: str, place: Place, minions: Sequence[int]) -> None:
        """Take a value of some minions, the first ones of those that have it."""
        known = self._minions.get((text, place))
        if known is None:
            self._minions[text, place] = tuple(minions)
        elif len(known) <= MOST_MINIONS or minions[0] < known[-1]:
            self._minions[text, place] = tuple(sorted({*known, *minions})[: MOST_MINIONS + 1])

    def take(self, other: "FoundValues[Place]") -> None:
        """Take what was found of other minions."""
        for (text, place), minions in other._minions.items():  # noqa: SLF001 (of this class)
            self.add(text, place, minions)

    def items(self) -> Iterator[tuple[str, Place, tuple[int, ...]]]:
        """Yield each text with its place and its first minions, one more than are named."""
        ordered = sorted(self._minions.items(), key=lambda one: (one[0][0], str(one[0][1])))
        return ((text, place, minions) for (text, place), minions in ordered)


MAX_KNOWN = 10_000
"""The number of grains after which those that did not come up again are dropped."""
GrainText = tuple[str, str]
"""A line of text, and the name of the grain."""


class FoundGrains:
    """Gathers the grains of minions; a ``Gatherer``."""

    def __init__(self) -> None:
        self.values: FoundValues[str] = FoundValues()
        """What grains say, with their names."""
        # By the number of a grain, which stands for its name and content in the whole run.
        self._known = RecentCache[int, tuple[GrainText, ...]](MAX_KNOWN)

    def add(self, written: WrittenMinion) -> None:
        """Take one minion."""
        names = {written.minion, written.minion.partition(".")[0]}
        found = read_once(written.grains, _read, self._known)
        for text, name in chain.from_iterable(found):
            if text not in names:  # it is found as a minion
                self.values.add(text, name, (written.rank,))

    def give(self) -> FoundValues[str]:
        """Return what was gathered, for another process."""
        return self.values

    def take(self, given: FoundValues[str]) -> None:
        """Take what was gathered in another process."""
        self.values.take(given)


def _read(name: str, grain: Any) -> tuple[GrainText, ...]:
    """Return what a grain says."""
    return tuple(
        (text, format_path(path))
        for path, values in list_values(grain, (name,))
        for text in map(search_text, values)
        if text is not None
    )
