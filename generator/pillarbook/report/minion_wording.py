"""Groups of minions in words: by the grains and ids that they share, and nobody else has."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

from pillarbook.report.group_names import GroupNames
from pillarbook.report.tags import GrainTags

Write = Callable[[str], str]
"""Writes a tag, or a minion's id."""


class MinionWords:
    """Finds words for groups of a fleet's minions.

    Args:
        fleet: Each minion with its grains, without secrets; empty where they are not known. It is
            gone through when a group is told first.
    """

    def __init__(self, fleet: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
        self._fleet = fleet

    @cached_property
    def _names(self) -> GroupNames:
        """Made where there is a group: to look at all grains of a large fleet takes its time."""
        tags = GrainTags()
        for minion, grains in self._fleet:
            tags.add(minion, grains)
        return GroupNames(tags.finish())

    @classmethod
    def of_tags(cls, tags: Mapping[str, Sequence[str]]) -> Self:
        """Return the wording for a fleet whose tags are known."""
        words = cls(())
        words._names = GroupNames(tags)
        return words

    def describe(self, minions: Iterable[str], code: Write, link: Write) -> str:
        """Return words for some minions, such as ``all 412 of `os:Debian` ``.

        Args:
            minions: Their ids; one or more.
            code: Writes a tag or a glob.
            link: Writes an id.
        """
        return self._names.name(self._names.set_of(minions)).write(code, link)
