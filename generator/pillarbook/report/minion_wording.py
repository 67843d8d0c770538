"""Words for groups of a fleet's minions, whose grains are read only if there is such a group."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

from pillarbook.report.group_names import GroupNames
from pillarbook.report.tags import read_tags


class MinionWords:
    """Finds words for groups of minions.

    Args:
        fleet: Each minion with its grains, without secrets; empty if they are not known.
    """

    def __init__(self, fleet: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
        self._fleet = fleet

    @cached_property
    def _names(self) -> GroupNames:
        # To look at all grains of a large fleet takes time, and most comparisons find no change.
        return GroupNames(read_tags(self._fleet))

    def describe(
        self, minions: Iterable[str], code: Callable[[str], str], link: Callable[[str], str]
    ) -> str:
        """Return words for some minions, as ``GroupNames.describe`` does."""
        return self._names.describe(minions, code, link)
