"""Groups of minions in words: by the grains and ids that they share, and nobody else has."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

from pillarbook.report.group_names import GroupNames
from pillarbook.report.tags import GrainTags

Write = Callable[[str], str]
"""Writes a tag, or a minion's id."""


class MinionWords:
    """Finds words for groups of a fleet's minions.

    Args:
        fleet: Each minion with its grains, without secrets; empty where they are not known.
    """

    def __init__(self, fleet: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
        tags = GrainTags()
        for minion, grains in fleet:
            tags.add(minion, grains)
        self._names = GroupNames(tags.finish())

    @classmethod
    def of_tags(cls, tags: Mapping[str, Sequence[str]]) -> Self:
        """Return the same for a fleet whose tags are known."""
        words = cls(())
        words._names = GroupNames(tags)
        return words

    def tell(self, minions: Iterable[str], code: Write, link: Write) -> str:
        """Return words for some minions, such as ``all 412 of `os:Debian` ``.

        Args:
            minions: Their ids; one or more.
            code: Writes a tag or a glob.
            link: Writes an id.
        """
        return self._names.name(self._names.set_of(minions)).write(code, link)
