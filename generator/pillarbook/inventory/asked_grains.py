"""Grains that the command line sets over those of the inventory: ``--grain roles=web``."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pillarbook.model import KeyPath

_MISSING = object()


@dataclass(frozen=True, slots=True)
class AskedGrain:
    """One grain of the command line."""

    path: tuple[str, ...]
    """Its keys: those of ``ec2:region``."""
    text: str
    """Its value, as it was given."""
    appends: bool = False
    """Whether the value is added to a list: ``KEY+=VALUE``."""


class AskedGrains:
    """Sets the grains of the command line, with the types that the inventory has for them.

    ``fleet`` has the grains of all minions.
    """

    def __init__(self, asked: Sequence[AskedGrain], fleet: Iterable[Mapping[str, Any]]) -> None:
        self._asked = asked
        # Text from a command line has no type: osrelease is text for Salt, roles mostly a list.
        samples: dict[tuple[str, ...], Any] = {}
        for grains in fleet if asked else ():
            for one in asked:
                value = find_grain(grains, one.path, _MISSING)
                if value is not _MISSING:
                    samples.setdefault(one.path, value)
        self._samples = samples

    def set_over(self, grains: Mapping[str, Any]) -> dict[str, Any]:
        """Return the grains of a minion with those of the command line."""
        result = dict(grains)
        given: set[tuple[str, ...]] = set()
        for one in self._asked:
            own = find_grain(grains, one.path, _MISSING)
            sample = self._samples.get(one.path) if own is _MISSING else own
            value = _read_value(one.text, sample)
            if one.appends or one.path in given:
                known = find_grain(result, one.path, _MISSING)
                value = [*_as_list([] if known is _MISSING else known), *_as_list(value)]
            given.add(one.path)
            _set(result, one.path, value)
        return result


def _read_value(text: str, sample: Any) -> Any:
    """Return the value of a text; ``sample`` is the same grain in the inventory, or None."""
    if isinstance(sample, str):
        return text
    value = read_json(text)
    if isinstance(sample, list) and not isinstance(value, list):
        is_text = bool(sample) and all(isinstance(one, str) for one in sample)
        return [text if is_text else value]
    return value


def read_json(text: str) -> Any:
    """Return the JSON value of a text; ``12.10`` stays text, because it is mostly a release."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(value, float) else value


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def find_grain(grains: Mapping[Any, Any], path: KeyPath, missing: Any = None) -> Any:
    """Return the grain at a path; ``missing`` if there is none."""
    found: Any = grains
    for key in path:
        if not isinstance(found, Mapping) or key not in found:
            return missing
        found = found[key]
    return found


def _set(grains: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    """Set a grain in a minion's own copy; the mappings below it are shared with other minions."""
    *above, last = path
    for key in above:
        known = grains.get(key)
        grains[key] = dict(known) if isinstance(known, Mapping) else {}
        grains = grains[key]
    grains[last] = value
