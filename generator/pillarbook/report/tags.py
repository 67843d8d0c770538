"""The grains that distinguish minions, as small tags: ``roles:web``, ``os:Debian``.

A list of all grains would hide the useful ones: most are equal on every minion, or different on
each. Shown are a few that divide the fleet into groups, chosen by what the fleet has.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, TypeAlias

from pillarbook.redact import ShownGrains

ALWAYS = ("roles", "role", "os")
"""Grains that people look for in any fleet."""
WELL_KNOWN = (
    *("env", "environment", "tier", "site", "datacenter", "dc", "location", "region"),
    *("cluster", "team", "project", "customer"),
)
"""Names that sites give to grains that group minions; they come first of the others."""
MAX_GRAINS = 5
"""Grains that are shown."""
MAX_WEIGHED = 12
"""Grains that are looked at, beside those that people look for."""
MAX_VALUES = 500
"""Values of a grain; one with more of them names minions and does not group them."""
MAX_VALUE = 40
"""Characters of a value."""
MAX_ITEMS = 20
"""Members of a list."""


GivenTags: TypeAlias = tuple[
    Sequence[tuple[str, str]], Mapping[str, int], Mapping[str, tuple[int, ...]]
]
"""The grains with their values as text, how many minions have each grain, and the pairs of each."""


class GrainTags:
    """Gathers the grains of a fleet, one minion after the other."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        self._pairs: list[tuple[str, str]] = []
        self._values: Counter[str] = Counter()
        self._holders: Counter[str] = Counter()
        self._of: dict[str, tuple[int, ...]] = {}
        # By the number of a redacted grain, which is given once in a run: most grains are those of
        # other minions, too.
        self._known: dict[int, tuple[int, ...]] = {}
        self._too_many: set[str] = set()

    def add(self, minion: str, grains: Mapping[str, Any]) -> None:
        """Take the grains of a minion."""
        # One of which there are too many is not even looked at: to redact it takes time.
        names = [name for name in grains if name not in self._too_many]
        numbers: list[int] = []
        for name, found in zip(names, self._find(names, grains), strict=True):
            if found:
                self._holders[name] += 1
                numbers += found
        self._of[minion] = tuple(numbers)

    def _find(self, names: Sequence[str], grains: Mapping[str, Any]) -> list[tuple[int, ...]]:
        """Return the numbers of what some grains say; of most, another minion has said it."""
        if not isinstance(grains, ShownGrains):
            return [self._read(name, grains) for name in names]
        known = self._known
        all_found: list[tuple[int, ...]] = []
        for name, content in zip(names, grains.numbers_of(names), strict=True):
            if content is None:  # a mapping
                all_found.append(())
                continue
            if content not in known:
                known[content] = self._read(name, grains)
            all_found.append(known[content])
        return all_found

    def _read(self, name: str, grains: Mapping[str, Any]) -> tuple[int, ...]:
        found = tuple(self._number(name, text) for text in _read_texts(grains[name]))
        if self._values[name] > MAX_VALUES:
            self._too_many.add(name)
        return found

    def give(self) -> GivenTags:
        """Return what was gathered, for another process."""
        return tuple(self._pairs), dict(self._holders), dict(self._of)

    def take(self, given: GivenTags) -> None:
        """Take what was gathered in another process."""
        pairs, holders, minions = given
        here = [self._number(name, text) for name, text in pairs]
        self._holders.update(holders)
        for minion, numbers in minions.items():
            self._of[minion] = tuple(map(here.__getitem__, numbers))

    def finish(self) -> dict[str, tuple[str, ...]]:
        """Return the tags of each minion, in the order of the grains that were chosen."""
        order = {name: rank for rank, name in enumerate(self._choose())}
        shown = [f"{name}:{text}" if name in order else None for name, text in self._pairs]
        ranks = [order.get(name, 0) for name, _ in self._pairs]
        return {
            minion: tuple(
                tag
                for number in sorted(numbers, key=ranks.__getitem__)
                if (tag := shown[number]) is not None
            )
            for minion, numbers in self._of.items()
        }

    def _number(self, name: str, text: str) -> int:
        pair = (name, text)
        number = self._numbers.get(pair)
        if number is None:
            number = self._numbers[pair] = len(self._pairs)
            self._pairs.append(pair)
            self._values[name] += 1
        return number

    def _choose(self) -> list[str]:
        always = [name for name in ALWAYS if self._values[name]]
        grouping = [
            name
            for name, values in self._values.items()
            if name not in ALWAYS and 1 < values <= MAX_VALUES and values * 2 <= self._holders[name]
        ]
        grouping.sort(key=self._rank)
        columns = self._read_columns({*always, *grouping[:MAX_WEIGHED]})
        chosen = always
        for name in grouping[:MAX_WEIGHED]:
            known = name in WELL_KNOWN
            if known or not any(_follows(columns[name], columns[one]) for one in chosen):
                chosen.append(name)
        return chosen[:MAX_GRAINS]

    def _read_columns(self, names: AbstractSet[str]) -> dict[str, list[tuple[int, ...]]]:
        """Return the values of some grains, minion by minion."""
        columns: dict[str, list[tuple[int, ...]]] = {name: [] for name in names}
        column_of = [name if name in names else None for name, _ in self._pairs]
        for numbers in self._of.values():
            own: dict[str, tuple[int, ...]] = {}
            for one in numbers:
                name = column_of[one]
                if name is not None:
                    own[name] = (*own[name], one) if name in own else (one,)
            for name, column in columns.items():
                column.append(own.get(name, ()))
        return columns

    def _rank(self, name: str) -> tuple[int, int, int, bool, str]:
        """Put well-known names first, then what many have and what makes few groups.

        ``lsb_distrib_codename`` says the same as ``oscodename``, which people know.
        """
        known = WELL_KNOWN.index(name) if name in WELL_KNOWN else len(WELL_KNOWN)
        return known, -self._holders[name], self._values[name], name.startswith("lsb_"), name


def read_tags(fleet: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, tuple[str, ...]]:
    """Return the tags of each minion of a fleet."""
    tags = GrainTags()
    for minion, grains in fleet:
        tags.add(minion, grains)
    return tags.finish()


def _follows(column: Sequence[Hashable], other: Sequence[Hashable]) -> bool:
    """Say whether the values of one grain follow from those of another, as a family's of an os."""
    seen: dict[Hashable, Hashable] = {}
    return all(
        seen.setdefault(known, value) == value for known, value in zip(other, column, strict=True)
    )


def _read_texts(value: Any) -> Iterator[str]:
    """Yield what a grain says in short; nothing of a mapping, a secret or a long text."""
    if isinstance(value, bool):
        yield str(value).lower()
    elif isinstance(value, int | float):
        yield str(value)
    elif isinstance(value, str) and 0 < len(value) <= MAX_VALUE:
        yield value
    elif isinstance(value, list) and len(value) <= MAX_ITEMS:
        for item in value:
            if not isinstance(item, list):
                yield from _read_texts(item)
