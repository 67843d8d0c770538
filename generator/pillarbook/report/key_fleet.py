"""Which values each key has over the fleet, who gets them, and what sets them.

Minions share the sections of their pillars as objects, so the values of a section are looked at
once for all minions that have it. What is kept grows with the different values of the fleet, not
with its minions: a key with very many different values is remembered by the lines that set it, and
by what a search finds.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from pillarbook.model import KeyPath
from pillarbook.redact.redacted_pillar import Redacted, RedactedLeaf, RedactedOrigin
from pillarbook.report.found_values import MOST_MINIONS, FoundValues, search_text
from pillarbook.report.gatherers import WrittenMinion
from pillarbook.report.key_patterns import KeyPattern, KeyPatterns, TypedPath, typed_path
from pillarbook.report.minion_sets import MinionSets, first_of, pack_set, unpack_set
from pillarbook.report.rows import Row, RowSection

if TYPE_CHECKING:
    from pillarbook.report.row_ids import ListPositions

# Sections are kept alive by their ids until they are summed up.
MAX_PENDING = 1_000
"""Sections that are counted before they are summed up."""
MAX_SPOTS = 1_000
"""Different values of a key, with what sets them, that are told apart."""
SpotKey: TypeAlias = Hashable


@dataclass(frozen=True, slots=True)
class KeySpot:
    """A value as one set of lines sets it, and who gets it so."""

    leaf: RedactedLeaf
    """The value; of a crowded key one of those that these lines set."""
    minions: int
    """Who gets it, as a set of bits."""


@dataclass(frozen=True, slots=True)
class KeyValue:
    """A value of a key."""

    value: Any
    """The value, or ``Redacted``; of a crowded key None."""
    minions: int
    """Who has it, as a set of bits."""
    spots: tuple[KeySpot, ...]
    """Who gets it from where, those of most minions first."""


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """A line that sets a value, with the lines that it overrides, and for whom."""

    origins: tuple[RedactedOrigin, ...]
    """The line, once for each SLS and environment in which it is read."""
    overridden: tuple[RedactedOrigin, ...]
    """What it overrides, oldest first."""
    minions: int
    """For whom, as a set of bits."""


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """A key of the fleet."""

    pattern: KeyPattern
    """Its path."""
    minions: int
    """Who has it, as a set of bits."""
    types: tuple[str, ...]
    """The types of its values, in words."""
    values: tuple[KeyValue, ...]
    """Its values, those of most minions first; of a crowded key one entry for each place that sets
    it."""
    is_crowded: bool
    """Whether there are so many values that only the places that set them are told apart."""
    found: FoundValues[KeyPath | None]
    """Of a crowded key what a search finds, with the paths if its pattern varies."""

    @property
    def lines(self) -> Iterator[tuple[str, int]]:
        """The files and lines that set its values."""
        for value in self.values:
            for spot in value.spots:
                last = spot.leaf.origins[-1] if spot.leaf.origins else None
                if last is not None and last.line is not None:
                    yield last.file, last.line


@dataclass(slots=True)
class GatheredKey:
    """What is known of one key so far."""

    pattern: KeyPattern
    """Its path."""
    level: int = 0
    """How coarsely its values are told apart; follows from what was added, in any order."""
    types: set[str] = field(default_factory=set)
    """The types of its values, in words."""
    spots: dict[SpotKey, tuple[RedactedLeaf, int]] = field(default_factory=dict)
    """Its values, as far as they are told apart, each with who gets it."""
    found: FoundValues[KeyPath | None] = field(default_factory=FoundValues)
    """All of its values, once they are no longer told apart."""


@dataclass(frozen=True, slots=True)
class GivenKeys:
    """What was gathered in one process."""

    keys: Mapping[TypedPath, GatheredKey]
    """Each key; in place of a set of minions it has the number of the set."""
    sets: tuple[bytes, ...]
    """The sets, each once: an integer that is pickled twice is two integers."""


class KeyFleet:
    """Gathers the keys of minions; a ``Gatherer``."""

    def __init__(self, patterns: KeyPatterns) -> None:
        self._patterns = patterns
        self._keys: dict[TypedPath, GatheredKey] = {}
        self._sections: dict[RowSection, int] = {}
        self._sets = MinionSets()

    def add(self, written: WrittenMinion) -> None:
        """Take one minion."""
        self.add_sections(written.rank, written.page.sections)

    def add_sections(self, rank: int, sections: Iterable[RowSection]) -> None:
        """Take the sections of a minion's pillar, by its place in the inventory."""
        bit = 1 << rank
        for section in sections:
            self._sections[section] = self._sections.get(section, 0) | bit
        if len(self._sections) > MAX_PENDING:
            self._sum_up()

    def give(self) -> GivenKeys:
        """Return all that was gathered, for another process."""
        self._sum_up()
        numbers: dict[int, int] = {}
        keys = {
            typed: replace(
                one,
                spots={
                    key: (leaf, numbers.setdefault(minions, len(numbers)))
                    for key, (leaf, minions) in one.spots.items()
                },
            )
            for typed, one in self._keys.items()
        }
        return GivenKeys(keys, tuple(map(pack_set, numbers)))

    def take(self, given: GivenKeys) -> None:
        """Take what was gathered over other minions of the same fleet."""
        self._sum_up()
        sets = list(map(unpack_set, given.sets))
        for typed, theirs in given.keys.items():
            ours = self._keys.setdefault(typed, GatheredKey(theirs.pattern))
            ours.types |= theirs.types
            self._coarsen(ours, theirs.level)
            for leaf, number in theirs.spots.values():
                self._put(ours, leaf, sets[number], is_told=not theirs.level)
            ours.found.take(theirs.found)
        self._sets.forget()

    def finish(self) -> tuple[KeyEntry, ...]:
        """Return all keys by path."""
        self._sum_up()
        order = sorted(self._keys.values(), key=lambda one: tuple(map(str, one.pattern.path)))
        entries = tuple(map(self._finish, order))
        self._sets.forget()
        return entries

    def _sum_up(self) -> None:
        """Count the values of the sections; each value once for all sections that have it."""
        found: dict[tuple[int, ListPositions], tuple[Row, int]] = {}
        for section, bits in self._sections.items():
            shared = self._sets.share(bits)
            for row in section.rows:  # the sections keep the values, so that their ids stay theirs
                key = (id(row.leaf), row.positions)
                known = found.get(key)
                found[key] = row, shared if known is None else self._sets.join(known[1], shared)
        for row, minions in found.values():
            pattern = self._patterns.pattern_of_leaf(row.leaf, row.positions)
            gathered = self._keys.get(pattern.typed)
            if gathered is None:
                gathered = self._keys[pattern.typed] = GatheredKey(pattern)
            gathered.types.add(type_of(row.leaf.value))
            self._put(gathered, row.leaf, minions, is_told=True)
        self._sections.clear()
        self._sets.forget()

    def _put(
        self, gathered: GatheredKey, leaf: RedactedLeaf, minions: int, *, is_told: bool
    ) -> None:
        """Take a value; ``is_told`` if it is that of all these minions, not of the first."""
        if gathered.level and is_told:
            _find(gathered, leaf, minions)
        key = _spot_key(leaf, gathered.level)
        known = gathered.spots.get(key)
        if known is not None:
            leaf = _earlier(known, (leaf, minions))
            minions = self._sets.join(known[1], minions)
        gathered.spots[key] = (leaf, minions)
        if len(gathered.spots) > MAX_SPOTS:
            self._coarsen(gathered, gathered.level + 1)

    def _coarsen(self, gathered: GatheredKey, level: int) -> None:
        """Tell the values of a key apart no finer than at a level."""
        if level <= gathered.level:
            return
        is_told = not gathered.level
        spots, gathered.spots, gathered.level = gathered.spots, {}, level
        for leaf, minions in spots.values():
            self._put(gathered, leaf, minions, is_told=is_told)

    def _finish(self, gathered: GatheredKey) -> KeyEntry:
        everyone = 0
        by_value: dict[Hashable, list[KeySpot]] = {}
        for key, (leaf, minions) in gathered.spots.items():
            everyone |= minions
            group = key if gathered.level else _value_key(leaf.value)
            by_value.setdefault(group, []).append(KeySpot(leaf, self._sets.share(minions)))
        values = [self._value_of(spots, told=not gathered.level) for spots in by_value.values()]
        return KeyEntry(
            gathered.pattern,
            self._sets.share(everyone),
            tuple(sorted(gathered.types)),
            tuple(sorted(values, key=_most_first)),
            is_crowded=gathered.level > 0,
            found=gathered.found,
        )

    def _value_of(self, spots: list[KeySpot], *, told: bool) -> KeyValue:
        minions = 0
        for spot in spots:
            minions |= spot.minions
        value = spots[0].leaf.value if told else None
        return KeyValue(value, self._sets.share(minions), tuple(sorted(spots, key=_most_first)))


def _find(gathered: GatheredKey, leaf: RedactedLeaf, minions: int) -> None:
    """Let a search find a value."""
    text = search_text(leaf.value)
    if text is not None:
        path = leaf.path if gathered.pattern.varying else None  # else the pattern is the path
        gathered.found.add(text, path, first_of(minions, MOST_MINIONS + 1))


def _most_first(one: KeySpot | KeyValue) -> tuple[int, int, str]:
    """Order by how many minions have it, then by the first of them."""
    leaf = one.leaf if isinstance(one, KeySpot) else one.spots[0].leaf
    first = one.minions & -one.minions
    return -one.minions.bit_count(), first, repr((leaf.path, _value_key(leaf.value)))


def _earlier(one: tuple[RedactedLeaf, int], other: tuple[RedactedLeaf, int]) -> RedactedLeaf:
    """Return the value of the first minion, so that it does not matter who was added first."""
    return min((one, other), key=lambda pair: (pair[1] & -pair[1], repr(pair[0].path)))[0]


def _spot_key(leaf: RedactedLeaf, level: int) -> SpotKey:
    """Return what tells a value from others of its key.

    ``level`` is 0 for the value, where it is and all lines that set it; 1 for the line that sets
    it; 2 for the file; 3 for nothing.
    """
    last = leaf.origins[-1] if leaf.origins else None
    if level == 0:
        path = typed_path(leaf.path)
        return path, _value_key(leaf.value), tuple(map(_origin_key, leaf.origins))
    if level == 1:
        return None if last is None else (last.file, last.line, last.sls, last.saltenv)
    return last.file if level == 2 and last is not None else None


def _origin_key(origin: RedactedOrigin) -> Hashable:
    place = (origin.file, origin.line, origin.sls, origin.saltenv)
    return place, _value_key(origin.value)


def _value_key(value: Any) -> Hashable:
    """Return what tells a value from others, 1 from True and 1.0 too."""
    if isinstance(value, Redacted):
        return Redacted, value.reason, value.secret_id
    if isinstance(value, str):
        return value
    return value.__class__.__name__, repr(_sort_sets(value))


def _sort_sets(value: Any) -> Any:
    """Return a value without sets: a set from another process may have another order."""
    if isinstance(value, dict):
        return {key: _sort_sets(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_sort_sets(item) for item in value]
    return (value.__class__, sorted(map(repr, value))) if isinstance(value, set) else value


def places_of(value: KeyValue) -> list[KeyPlace]:
    """Return the lines that set a value, those for most minions first; none if no line is known."""
    found: dict[Hashable, tuple[dict[Hashable, RedactedOrigin], KeySpot, int]] = {}
    for spot in value.spots:
        if not spot.leaf.origins:
            continue
        *overridden, last = spot.leaf.origins
        lines = tuple((one.file, one.line, _value_key(one.value)) for one in overridden)
        known = found.get((last.file, last.line, lines))
        origins, first, minions = known or ({}, spot, 0)
        origins.setdefault(_origin_key(last), last)
        found[last.file, last.line, lines] = origins, first, minions | spot.minions
    places = (
        KeyPlace(tuple(origins.values()), first.leaf.origins[:-1], minions)
        for origins, first, minions in found.values()
    )
    return sorted(places, key=lambda one: -one.minions.bit_count())


TYPES = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "text",
    type(None): "null",
    Redacted: "secret",
}
"""Types of values, in words; others have their own names."""


def type_of(value: Any) -> str:
    """Return the type of a value in a word or two."""
    if isinstance(value, dict):
        return "empty mapping"
    if isinstance(value, list):
        return "empty list"
    for kind, word in TYPES.items():
        if isinstance(value, kind):
            return word
    return str(value.__class__.__name__)
