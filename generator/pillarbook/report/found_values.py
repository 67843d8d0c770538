"""Values as a search finds them: a line of text each, with the first minions that have it.

The pages of a key with very many values tell only where they are set, and no page lists all values
of a grain. The search finds each still, so its text is kept with the few minions that are named.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pillarbook.redact.redacted_pillar import Redacted

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
