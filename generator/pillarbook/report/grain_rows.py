"""The rows of a minion's grains. Most minions share most grains, so each is written once."""

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any, TypeVar

from markupsafe import Markup

from pillarbook.model import KeyPath
from pillarbook.model.limited_cache import LimitedCache, RecentCache
from pillarbook.redact import ShownGrains
from pillarbook.report.rows import write_key_row
from pillarbook.report.value_html import TokenOf, show_in_cell, show_value

T = TypeVar("T")
MAX_KEPT = 20_000
"""Grains whose rows are kept before all are let go; ids and addresses are of one minion only."""


class GrainRows:
    """Writes the grains of minions, one minion after the other."""

    def __init__(self, token: TokenOf) -> None:
        self._token = token
        # By the number of a grain, which stands for its name and content in the whole run.
        self._kept = LimitedCache[int, str](MAX_KEPT)

    def write(self, grains: Mapping[str, Any]) -> Markup:
        """Return the rows of a minion's grains."""
        rows = read_once(grains, self._write, self._kept)
        return Markup("".join(rows))  # noqa: S704 (what writes a grain escapes)

    def _write(self, name: str, grain: Any) -> str:
        return "".join(
            write_key_row(path, (), [("", self._show(values))])
            for path, values in list_values(grain, (name,))
        )

    def _show(self, values: list[Any]) -> str:
        if len(values) == 1:
            return show_in_cell(values[0], self._token)
        return ", ".join(show_value(value, self._token) for value in values)


def read_once(
    grains: Mapping[str, Any],
    read: Callable[[str, Any], T],
    known: MutableMapping[int, T] | RecentCache[int, T],
) -> Iterator[T]:
    """Yield what is read of each grain; ``known`` keeps it for other minions with equal grains."""
    names = list(grains)
    numbers: Sequence[int | None] = [None] * len(names)
    if isinstance(grains, ShownGrains):
        numbers = grains.numbers_of(names)
    for name, number in zip(names, numbers, strict=True):
        if number is None:  # a mapping
            yield read(name, grains[name])
            continue
        found = known.get(number)
        if found is None:
            found = known[number] = read(name, grains[name])
        yield found


def list_values(value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, list[Any]]]:
    """Yield the values of a grain by path; the scalars of a list are together."""
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from list_values(item, (*path, key))
    elif isinstance(value, list) and any(isinstance(item, Mapping | list) for item in value):
        for index, item in enumerate(value):
            yield from list_values(item, (*path, index))
    else:
        yield path, value if isinstance(value, list) and value else [value]
