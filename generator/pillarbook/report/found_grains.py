"""The grains of a fleet as a search finds them."""

from itertools import chain
from typing import Any

from pillarbook.model import format_path
from pillarbook.model.limited_cache import RecentCache
from pillarbook.report.found_values import FoundValues, search_text
from pillarbook.report.gatherers import WrittenMinion
from pillarbook.report.grain_rows import list_values, read_once

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
