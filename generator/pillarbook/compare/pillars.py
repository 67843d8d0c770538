"""Compares pillars, one minion at a time.

Minions share most values as the same objects. So the changes below a top-level key are cached by
the ids of the leaves on both sides. The cache keeps these objects, because an id is valid only as
long as its object lives.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, TypeAlias

from pillarbook.compare.change import Change
from pillarbook.compare.compare_containers import KeyChanges, Keys, compare_keys
from pillarbook.compare.compare_values import (
    ValuePair,
    WinningOrigins,
    added,
    compare_pair,
    known_keys,
    removed,
)
from pillarbook.compare.secret_pairs import find_reencrypted
from pillarbook.compare.strict import canonical
from pillarbook.redact.redacted_pillar import RedactedLeaf, RedactedPillar

ERRORS = "_errors"
"""Salt's own key, which lists the errors of a compile and is not compared."""
MAX_KEPT = 100_000
"""The most leaves for which results are cached, about 60 MB; then the cache is emptied."""

Changes: TypeAlias = tuple[Change, ...]
Leaves: TypeAlias = tuple[RedactedLeaf, ...]


def comparable_data(pillar: RedactedPillar) -> dict[Any, Any]:
    """Return the compared data of a pillar: without Salt's errors."""
    if not pillar.has_data:
        return {}
    data: dict[Any, Any] = pillar.data
    return {key: part for key, part in data.items() if key != ERRORS} if ERRORS in data else data


class Comparer:
    """Compares the pillars of a fleet and caches the results for shared parts.

    Minions whose changes are the same objects get the same tuple. ``most_kept`` is the most leaves
    for which results are cached.
    """

    def __init__(self, most_kept: int = MAX_KEPT) -> None:
        self._most_kept = most_kept
        # By the ids of both parts, which minions share. The parts are kept with the result, so that
        # no other object gets their ids.
        self._parts: dict[Hashable, tuple[Changes, tuple[Any, ...], Leaves]] = {}
        self._whole: dict[tuple[int, ...], tuple[list[Changes], Changes]] = {}
        self._kept = 0
        self.reencrypted: dict[tuple[Hashable, ...], None] = {}
        """The key paths of secrets that were encrypted again without a change of value."""
        # One side only, because to keep those of all minions would keep all pillars.
        self._base: _Side | None = None

    def compare(self, base: RedactedPillar, head: RedactedPillar) -> Changes:
        """Return the changes from the base pillar to the head pillar, in the order to apply.

        If only the origin differs, there is no change. If a side has failed, the result is empty,
        although the pillars may differ.
        """
        if base is head or not base.has_data or not head.has_data:
            return ()
        if self._kept > self._most_kept:
            self._parts.clear()
            self._whole.clear()
            self._kept = 0
        if self._base is None or self._base.pillar is not base:
            self._base = _Side(base)
        sides = self._base, _Side(head)
        keys = compare_keys(*known_keys(sides[0].data, sides[1].data))
        return self._join(list(self._compare_keys(keys, *sides)))

    def _compare_keys(self, keys: KeyChanges, base: "_Side", head: "_Side") -> Iterator[Changes]:
        """Yield the changes at and below each top-level key, including empty tuples."""
        for key in keys.removed:
            yield self._removed(key, base)
        if keys.reordered is not None:
            yield self._reordered(*keys.reordered)
        for key, behind in keys.added:
            yield self._added(key, behind, head)
        below = []
        for before, after in keys.shared:
            if base.data[before] is not head.data[after]:
                changes = self._changed(before, after, base, head)
                if changes and changes[0].kind == "changed" and len(changes[0].path) == 1:
                    yield changes
                else:
                    below.append(changes)
        yield from below

    def _removed(self, key: Hashable, base: "_Side") -> Changes:
        part, leaves = base.part(key)

        def compare() -> Changes:
            pair = ValuePair({key: part}, (), {}, ())
            return (removed(pair, key, WinningOrigins(leaves)),)

        return self._remember(("removed", *map(id, leaves)), compare, (part,), leaves)

    def _reordered(self, before: Keys, after: Keys) -> Changes:
        known = ("reordered", tuple(map(canonical, before)), tuple(map(canonical, after)))

        def compare() -> Changes:
            return (Change(path=(), kind="reordered", before=before, after=after),)

        return self._remember(known, compare)

    def _added(self, key: Hashable, behind: Keys, head: "_Side") -> Changes:
        part, leaves = head.part(key)
        known = ("added", tuple(map(canonical, behind)), *map(id, leaves))

        def compare() -> Changes:
            pair = ValuePair({}, (), {key: part}, ())
            return (added(pair, key, behind, WinningOrigins(leaves)),)

        return self._remember(known, compare, (part,), leaves)

    def _changed(self, before: Hashable, after: Hashable, base: "_Side", head: "_Side") -> Changes:
        old, old_leaves = base.part(before)
        new, new_leaves = head.part(after)
        # The count separates the ids of both sides.
        known = (len(old_leaves), *map(id, old_leaves), *map(id, new_leaves))

        def compare() -> Changes:
            pair = ValuePair(old, (before,), new, (after,))
            for leaf in find_reencrypted(old_leaves, new_leaves):
                self.reencrypted[leaf.path] = None
            return compare_pair(pair, WinningOrigins(old_leaves), WinningOrigins(new_leaves))

        return self._remember(known, compare, (old, new), old_leaves + new_leaves)

    def _remember(
        self,
        known: tuple[Hashable, ...],
        compare: Callable[[], Changes],
        parts: tuple[Any, ...] = (),
        leaves: Leaves = (),
    ) -> Changes:
        """Return the cached or computed result of a comparison.

        ``known`` has the leaves of the compared parts; they are kept, so that no other object gets
        their ids.
        """
        kept = self._parts.get(known)
        if kept is not None and all(map(is_shaped_alike, kept[1], parts)):
            return kept[0]
        changes = compare()
        self._parts[known] = (changes, parts, leaves)
        self._kept += len(known)
        return changes

    def _join(self, parts: Iterable[Changes]) -> Changes:
        """Return the changes of a minion as one tuple, the same object for the same parts."""
        told = [changes for changes in parts if changes]
        if not told:
            return ()
        known = tuple(map(id, told))
        kept = self._whole.get(known)
        if kept is None:
            whole = tuple(change for changes in told for change in changes)
            kept = self._whole[known] = (told, whole)
            self._kept += len(whole)
        return kept[1]


class _Side:
    """A pillar with its leaves by top-level key."""

    def __init__(self, pillar: RedactedPillar) -> None:
        self.pillar = pillar
        """The pillar."""
        self.data = comparable_data(pillar)
        """The compared data."""
        tops = map(itemgetter(0), map(attrgetter("path"), pillar.leaves))
        self._leaves: dict[Hashable, Leaves] = {}
        start = 0
        for key, group in groupby(tops):
            end = start + len(list(group))
            self._leaves[key] = pillar.leaves[start:end]
            start = end

    def part(self, key: Hashable) -> tuple[Any, Leaves]:
        """Return the value of a top-level key, and its leaves."""
        return self.data[key], self._leaves.get(key, ())


def is_shaped_alike(kept: Any, data: Any) -> bool:
    """Say whether data with equal leaves is equal: a mapping may have a list's paths."""
    rest: list[tuple[Any, Any]] = [(kept, data)]
    while rest:
        one, two = rest.pop()
        if one is two or not isinstance(one, dict | list | tuple):
            continue
        if one.__class__ is not two.__class__ or len(one) != len(two):
            return False
        inside = [list(each.values()) if isinstance(each, dict) else each for each in (one, two)]
        rest += zip(*inside, strict=True)
    return True
