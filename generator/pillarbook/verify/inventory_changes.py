"""A change of a minion's declaration, which is tried to find why the minion's dump differs."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from pillarbook.inventory.asked_grains import find_grain
from pillarbook.inventory.minions import Minion
from pillarbook.model import KeyPath

What: TypeAlias = Literal["grain", "pillarenv", "saltenv", "pillar"]
ABSENT: Any = type("Absent", (), {"__repr__": lambda _: "ABSENT", "__slots__": ()})()
"""No value."""
OTHER: Any = type("Other", (), {"__repr__": lambda _: "OTHER", "__slots__": ()})()
"""Any text that no template or target compares a grain with."""
SOME_TEXT = "some-other-value"
"""Such a text."""


@dataclass(frozen=True, slots=True, eq=False)
class InventoryChange:
    """One change of a minion's declaration."""

    what: What
    """The kind of declaration."""
    path: KeyPath
    """The keys of a grain; empty for everything else."""
    value: Any
    """The new value; ``ABSENT`` for not declared, ``OTHER`` for any other text."""
    declared: Any
    """The declared value; ``ABSENT`` for not declared."""

    @property
    def subject(self) -> Hashable:
        """A key that all changes of the same declaration share."""
        return self.what, self.path

    @property
    def key(self) -> Hashable:
        """A key that only equal changes share; types count."""
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
        """Return the minion's declared value."""
        if self.what == "grain":
            return find_grain(minion.grains, self.path, ABSENT)
        value = getattr(minion, self.what)
        return ABSENT if value is None else value


def typed(value: Any) -> Hashable:
    """Return a key that only equal values share; types and key order count."""
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
