"""The grains of a fleet as a search finds them."""

from collections.abc import Iterator, Mapping
from typing import Any

from pillarbook.model import format_path
from pillarbook.model.limited_cache import RecentCache
from pillarbook.redact import ShownGrains
from pillarbook.report.found_values import FoundValues, search_text
from pillarbook.report.gatherers import WrittenMinion
from pillarbook.report.grain_rows import list_values

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
        for text, name in self._read_all(written.grains):
            if text not in names:  # it is found as a minion
                self.values.add(text, name, (written.rank,))

    def give(self) -> FoundValues[str]:
        """Return what was gathered, for another process."""
        return self.values

    def take(self, given: FoundValues[str]) -> None:
        """Take what was gathered in another process."""
        self.values.take(given)

    def _read_all(self, grains: Mapping[str, Any]) -> Iterator[GrainText]:
        names = list(grains)
        if not isinstance(grains, ShownGrains):
            yield from (one for name in names for one in _read(name, grains[name]))
            return
        for name, number in zip(names, grains.numbers_of(names), strict=True):
            if number is None:  # a mapping
                yield from _read(name, grains[name])
                continue
            known: tuple[GrainText, ...] | None = self._known.get(number)
            if known is None:
                known = self._known[number] = tuple(_read(name, grains[name]))
            yield from known


def _read(name: str, grain: Any) -> Iterator[GrainText]:
    """Yield what a grain says."""
    for path, values in list_values(grain, (name,)):
        where = format_path(path)
        for value in values:
            text = search_text(value)
            if text is not None:
                yield text, where
