"""What a fleet says of a key besides its values: how environments differ, which states use it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pillarbook.compare.change import Change
from pillarbook.compare.fold import ANY_POSITION, FoldedChange
from pillarbook.model import KeyPath
from pillarbook.report.fleet_summary import FleetSummary
from pillarbook.report.key_patterns import KeyPatterns, TypedPath
from pillarbook.report.row_ids import ListPositions
from pillarbook.report.state_fleet import ReadCount, Sls, StateFleet, count_reads


@dataclass(frozen=True, slots=True)
class KeyDifference:
    """How a key differs between the first environment and another."""

    number: int
    """Which environment the other is."""
    change: Change
    minions: tuple[str, ...]


Uses: TypeAlias = Mapping[TypedPath, Mapping[Sls, ReadCount]]
Differences: TypeAlias = Mapping[TypedPath, list[KeyDifference]]


@dataclass(frozen=True, slots=True)
class KeyFacts:
    """What the fleet says of its keys besides their values."""

    uses: Uses | None
    """Which states use a key; None if the fleet has no states."""
    unknown: tuple[str, ...]
    """The ids of minions of which that is not known."""
    differences: Differences
    """How a key differs between environments."""


def find_facts(fleet: FleetSummary, states: StateFleet | None, patterns: KeyPatterns) -> KeyFacts:
    """Return what a fleet says of its keys, once every minion was added."""
    differences = find_differences(fleet, patterns)
    if states is None:
        return KeyFacts(None, (), differences)
    return KeyFacts(find_uses(states, patterns), tuple(fleet.name(states.unknown)), differences)


def find_uses(states: StateFleet, patterns: KeyPatterns) -> Uses:
    """Return which state SLS files read a key, once every minion was added."""
    found: dict[TypedPath, dict[Sls, ReadCount]] = {}
    for typed, readers in states.readers.items():
        uses = found.setdefault(typed, {})
        for sls, count in readers.most_common():
            uses[sls] = ReadCount(found=count)
    for sls, line in sorted(states.sls.items()):
        for one in count_reads(line):
            if one.default or one.bare:
                typed = patterns.pattern_of(one.path).typed
                use = found.setdefault(typed, {}).setdefault(sls, ReadCount())
                use.default += one.default
                use.bare += one.bare
    return found


def find_differences(fleet: FleetSummary, patterns: KeyPatterns) -> Differences:
    """Return how keys differ between environments, once every minion was added."""
    found: dict[TypedPath, list[KeyDifference]] = {}
    for number, pair in enumerate(fleet.pairs, 1):
        for folded in pair.changes:
            for path, positions, change in _changes_of_leaves(folded):
                typed = patterns.pattern_of(path, positions).typed
                found.setdefault(typed, []).append(KeyDifference(number, change, folded.minions))
    return found


def _changes_of_leaves(folded: FoldedChange) -> Iterator[tuple[KeyPath, ListPositions, Change]]:
    """Yield the keys that a change is about, each with its part of it."""
    change, path = folded.change, folded.path
    positions = tuple(at for at, key in enumerate(path) if key is ANY_POSITION)
    if change.kind == "reordered":  # about no key, but about their order
        return
    if change.kind == "moved":
        yield (*path, ANY_POSITION), (*positions, len(path)), change
        return
    for side in ("after", "before"):
        value = getattr(change, side)
        if not _has_members(value):
            continue
        for below, places, leaf in _leaves(value, path, positions):
            is_whole = change.kind in ("added", "removed")
            yield below, places, replace(change, **{side: leaf}) if is_whole else change
    if not any(map(_has_members, (change.before, change.after))):
        yield path, positions, change


def _leaves(
    value: Any, path: KeyPath, positions: ListPositions
) -> Iterator[tuple[KeyPath, ListPositions, Any]]:
    if not _has_members(value):
        yield path, positions, value
    elif isinstance(value, Mapping):
        for key, below in value.items():
            yield from _leaves(below, (*path, key), positions)
    else:
        for at, below in enumerate(value):
            yield from _leaves(below, (*path, at), (*positions, len(path)))


def _has_members(value: Any) -> bool:
    return isinstance(value, Mapping | list) and bool(value)
