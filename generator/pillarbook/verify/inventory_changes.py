"""A minion declared otherwise: what is tried to find out why its dump differs."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath

What: TypeAlias = Literal["grain", "pillarenv", "saltenv", "pillar"]
ABSENT: Any = type("Absent", (), {"__repr__": lambda _: "ABSENT", "__slots__": ()})()
"""Stands for no value at all."""
OTHER: Any = type("Other", (), {"__repr__": lambda _: "OTHER", "__slots__": ()})()
"""Stands for any text that nothing is compared with."""
SOME_TEXT = "some-other-value"
"""Such a text."""


@dataclass(frozen=True, slots=True, eq=False)
class InventoryChange:
    """One thing that the inventory says of a minion, and what it might say instead."""

    what: What
    """What it is."""
    path: KeyPath
    """The keys of a grain; empty for everything else."""
    value: Any
    """What it might be; ``ABSENT`` for not declared, ``OTHER`` for any other text."""
    declared: Any
    """What it is declared to be; ``ABSENT`` for not declared."""

    @property
    def subject(self) -> Hashable:
        """What tells it from a change of something else."""
        return self.what, self.path

    @property
    def key(self) -> Hashable:
        """What tells it from another change; types count."""
        return self.what, self.path, typed(self.value), typed(self.declared)

    def apply(self, minion: Minion) -> Minion:
        """Return the minion with the change made."""
        if self.what == "grain":
            value = SOME_TEXT if self.value is OTHER else self.value
            return replace(minion, grains=_with(minion.grains, self.path, value))
        changes: dict[str, Any] = {self.what: None if self.value is ABSENT else self.value}
        return replace(minion, **changes)

    def of(self, minion: Minion) -> "InventoryChange":
        """Return this change for another minion."""
        return InventoryChange(self.what, self.path, self.value, self.current(minion))

    def current(self, minion: Minion) -> Any:
        """Return what a minion declares there."""
        if self.what == "grain":
            return find_grain(minion.grains, self.path)
        value = getattr(minion, self.what)
        return ABSENT if value is None else value


def find_grain(grains: Mapping[Any, Any], path: KeyPath) -> Any:
    """Return the grain at a path, ``ABSENT`` where there is none."""
    data: Any = grains
    for key in path:
        if not isinstance(data, Mapping) or key not in data:
            return ABSENT
        data = data[key]
    return data


def typed(value: Any) -> Hashable:
    """Return what stands for a value; types and key order count."""
    if isinstance(value, Mapping):
        return ("mapping", *((typed(key), typed(item)) for key, item in value.items()))
    if isinstance(value, list | tuple):
        return ("list", *map(typed, value))
    return type(value).__name__, repr(value)


def _with(grains: Mapping[Any, Any], path: KeyPath, value: Any) -> dict[Any, Any]:
    made = dict(grains)
    key, *rest = path
    if rest:
        below = made.get(key)
        made[key] = _with(below if isinstance(below, Mapping) else {}, tuple(rest), value)
    elif value is ABSENT:
        made.pop(key, None)
    else:
        made[key] = value
    return made
