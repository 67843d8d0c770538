"""A value of an inventory with the lines of its parts."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from pillarbook.model import KeyPath


@dataclass(frozen=True, slots=True)
class LocatedValue:
    """A value and its lines."""

    value: Any
    """Plain data."""
    lines: dict[KeyPath, int]
    """The line of every scalar and container in it by its path; its own has the path ``()``."""

    @property
    def line(self) -> int:
        """The line on which the value begins."""
        return self.lines[()]

    def members(self) -> list[tuple[Any, "LocatedValue"]]:
        """Return keys and values of a mapping."""
        below = self._split()
        return [(key, LocatedValue(item, below[key])) for key, item in self.value.items()]

    def items(self) -> list["LocatedValue"]:
        """Return the members of a list."""
        below = self._split()
        return [LocatedValue(item, below[index]) for index, item in enumerate(self.value)]

    def _split(self) -> dict[Any, dict[KeyPath, int]]:
        below: dict[Any, dict[KeyPath, int]] = {}
        for path, line in self.lines.items():
            if path:
                below.setdefault(path[0], {})[path[1:]] = line
        return below


LocatedMembers: TypeAlias = dict[Any, LocatedValue]


def gather_mapping(line: int, members: LocatedMembers) -> LocatedValue:
    """Return a mapping that begins at a line, from its members."""
    lines: dict[KeyPath, int] = {(): line}
    for key, given in members.items():
        lines.update(((key, *path), at) for path, at in given.lines.items())
    return LocatedValue({key: given.value for key, given in members.items()}, lines)


def gather_list(line: int, items: Iterable[LocatedValue]) -> LocatedValue:
    """Return a list that begins at a line, from its members."""
    lines: dict[KeyPath, int] = {(): line}
    values = []
    for index, given in enumerate(items):
        lines.update(((index, *path), at) for path, at in given.lines.items())
        values.append(given.value)
    return LocatedValue(values, lines)
