"""When two values are equal: type counts, and key order.

``1``, ``True``, ``1.0`` and ``"1"`` are four values. NaN equals NaN. Secrets are equal if their
secret ids are, or if ``secret_pairs`` knows it; the reasons may differ. A tuple equals a list, as
in Salt, and the items of a set have no order.
"""

from collections.abc import Hashable
from typing import Any

from pillarbook.compare.secret_pairs import are_one_value
from pillarbook.model.unknown import Unknown
from pillarbook.redact.redacted_pillar import Redacted

CONTAINERS = (dict, list, tuple)
"""The types that are compared item by item; all others are scalars."""


def is_map(value: Any) -> bool:
    """Say whether a value is compared key by key."""
    return isinstance(value, dict)


def is_list(value: Any) -> bool:
    """Say whether a value is compared item by item."""
    return isinstance(value, list | tuple)


def are_containers_alike(before: Any, after: Any) -> bool:
    """Say whether both are mappings or both are lists, so that they are compared inside."""
    return (is_map(before) and is_map(after)) or (is_list(before) and is_list(after))


def may_differ(before: Any, after: Any) -> bool:
    """Say whether two values differ; True for containers that may differ inside.

    An unknown value is not compared; but a known value that becomes unknown differs.
    """
    if before is after or before.__class__ is Unknown:
        return False
    if after.__class__ is Unknown:
        return True
    if isinstance(before, CONTAINERS) or isinstance(after, CONTAINERS):
        return True
    return canonical(before) != canonical(after) and not are_one_value(before, after)


def canonical(value: Any) -> Hashable:
    """Return a key or a scalar in comparable form: equal exactly for equal values."""
    kind = value.__class__
    if kind is str or kind is int or value is None:
        return value  # type: ignore[no-any-return]
    if kind is Redacted:
        return "secret", value.secret_id
    return _canonical_rest(value)


def _canonical_rest(value: Any) -> Hashable:
    made: Hashable
    if isinstance(value, bool):
        made = ("bool", value)
    elif isinstance(value, float):
        made = ("float", float.__repr__(value))  # -0.0 differs from 0.0, and NaN equals NaN
    elif isinstance(value, str):
        made = str.__str__(value)
    elif isinstance(value, int):
        made = int.__index__(value)
    elif isinstance(value, tuple):
        made = ("list", tuple(map(canonical, value)))
    elif isinstance(value, set | frozenset):
        made = ("set", frozenset(map(canonical, value)))
    elif isinstance(value, bytes):
        made = ("bytes", value)
    else:
        made = (value.__class__.__qualname__, str(value))
    return made


class Fingerprints:
    """Gives values of any depth numbers that are equal exactly for equal values.

    Containers are cached by id, so the values must live as long as this object. With ``in_order``,
    the order of keys counts.
    """

    def __init__(self, *, in_order: bool = True) -> None:
        self._in_order = in_order
        self._numbers: dict[Hashable, int] = {}
        # By id: minions share most containers, and to walk through one each time would cost as much
        # as the comparison. The caller keeps the values, so that no other object gets their ids.
        self._containers: dict[int, int] = {}

    def of(self, value: Any) -> int:
        """Return the number of a value."""
        numbers = self._numbers
        if not isinstance(value, CONTAINERS):
            return numbers.setdefault(canonical(value), len(numbers))
        known = self._containers.get(id(value))
        if known is None:
            known = self._containers[id(value)] = self._of_container(value)
        return known

    def _of_container(self, value: Any) -> int:
        inside: list[Hashable] = []  # loops, because comprehensions need more stack
        if isinstance(value, dict):
            for key, item in value.items():
                inside += (canonical(key), self.of(item))
        else:
            for item in value:
                inside.append(self.of(item))
        if isinstance(value, dict) and not self._in_order:
            pairs = frozenset(zip(inside[::2], inside[1::2], strict=True))
            return self._numbers.setdefault(("pairs", pairs), len(self._numbers))
        described = ("map" if isinstance(value, dict) else "members", tuple(inside))
        return self._numbers.setdefault(described, len(self._numbers))
