"""Compares the items of two lists, and the keys of two mappings.

In lists, equal items are paired first: those of a longest common subsequence stay in place, and the
other equal items are moved; of two that could stay, it is the one with the same position. Between
the items that stay, changed mappings and lists are paired and compared inside: first those with the
same name, then in order. Scalars are never paired: one is removed and another one is added.
"""

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, TypeAlias

from pillarbook.compare.strict import Fingerprints, canonical, is_list, is_map
from pillarbook.compare.subsequence import Pairs, common_subsequence

NAMES = ("name", "id")
"""Keys whose values name a mapping in a list."""
MemberPositions: TypeAlias = list[int]
Keys: TypeAlias = tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class MemberChanges:
    """The differences between two lists; positions count from 0 on each side."""

    removed: tuple[int, ...]
    """Positions in the base."""
    added: tuple[int, ...]
    """Positions in the head."""
    moved: tuple[tuple[int, int], ...]
    """Positions of equal items in the base and in the head."""
    matched: tuple[tuple[int, int], ...]
    """Positions in the base and in the head of mappings or lists that differ inside."""


def compare_members(
    base: Sequence[Any], head: Sequence[Any], prints: Fingerprints
) -> MemberChanges:
    """Compare the members of two lists."""
    ours = [prints.of(member) for member in base]
    theirs = [prints.of(member) for member in head]
    equal = common_subsequence(ours, theirs)
    moved = _keep_in_place(equal, _find_moved(ours, theirs, equal))
    settled = (*equal, *moved)
    gone = _others(len(base), {left for left, _ in settled})
    new = _others(len(head), {right for _, right in settled})
    matched = tuple(
        pair
        for left, right in _between(equal, gone, new)
        for pair in _match_changed(base, head, (left, right), prints)
    )
    return MemberChanges(
        tuple(_without(gone, {left for left, _ in matched})),
        tuple(_without(new, {right for _, right in matched})),
        tuple(moved),
        matched,
    )


def _others(length: int, settled: set[int]) -> MemberPositions:
    return [] if length == len(settled) else _without(range(length), settled)


def _without(positions: Sequence[int], settled: set[int]) -> MemberPositions:
    return [at for at in positions if at not in settled]


def _find_moved(ours: list[int], theirs: list[int], equal: Pairs) -> Pairs:
    """Pair equal items that have moved, in order."""
    gone: dict[int, MemberPositions] = {}
    stay = {left for left, _ in equal}
    for at in reversed(range(len(ours))):
        if at not in stay:
            gone.setdefault(ours[at], []).append(at)
    if not gone:
        return []
    arrived = {right for _, right in equal}
    return [
        (gone[number].pop(), at)
        for at, number in enumerate(theirs)
        if at not in arrived and gone.get(number)
    ]


def _keep_in_place(equal: Pairs, moved: Pairs) -> Pairs:
    """Return moved items, without those that could as well stay in place where they were.

    Where two items change places, either of them explains the order. The one that is at the same
    position on both sides takes the place of the other one in ``equal``.
    """
    settled = []
    for left, right in moved:
        before, behind = bisect_left(equal, (left,)), bisect_left(equal, right, key=itemgetter(1))
        if left == right and abs(before - behind) == 1:
            at = min(before, behind)
            settled.append(equal[at])
            equal[at] = (left, right)
        else:
            settled.append((left, right))
    return sorted(settled, key=itemgetter(1))


def _between(
    anchors: Pairs, gone: MemberPositions, new: MemberPositions
) -> Iterator[tuple[MemberPositions, ...]]:
    """Yield the positions of both sides between the same two anchors."""
    if not gone or not new:
        return
    end = (gone[-1] + 1, new[-1] + 1)
    left = right = 0
    for anchor_left, anchor_right in (*anchors, (max(end), max(end))):
        first_left, first_right = left, right
        while left < len(gone) and gone[left] < anchor_left:
            left += 1
        while right < len(new) and new[right] < anchor_right:
            right += 1
        if left > first_left and right > first_right:
            yield gone[first_left:left], new[first_right:right]


def _match_changed(
    base: Sequence[Any],
    head: Sequence[Any],
    between: tuple[MemberPositions, ...],
    prints: Fingerprints,
) -> Pairs:
    """Pair the containers between two anchors: first those with the same name, then in order."""
    gone = [at for at in between[0] if is_map(base[at]) or is_list(base[at])]
    new = [at for at in between[1] if is_map(head[at]) or is_list(head[at])]
    named = common_subsequence(
        [_name(base[at], prints, ("base", at)) for at in gone],
        [_name(head[at], prints, ("head", at)) for at in new],
    )
    pairs = [(gone[left], new[right]) for left, right in named]
    rest_gone = _without(gone, {left for left, _ in pairs})
    rest_new = _without(new, {right for _, right in pairs})
    for left, right in _between(pairs, rest_gone, rest_new):
        pairs += [pair for pair in zip(left, right, strict=False) if _are_alike(base, head, *pair)]
    return sorted(pairs)


def _name(member: Any, prints: Fingerprints, none: Hashable) -> Hashable:
    """Return the name of an item: its name, its only key, or its first content."""
    if not member:
        return none
    if not is_map(member):
        return "list", prints.of(member[0])
    for key in NAMES:
        if key in member:
            return "map", key, prints.of(member[key])
    first = next(iter(member))
    if len(member) == 1:
        return "map", canonical(first)
    return "map", canonical(first), prints.of(member[first])


def _are_alike(base: Sequence[Any], head: Sequence[Any], left: int, right: int) -> bool:
    """Say whether two items may count as one changed item."""
    before, after = base[left], head[right]
    if is_map(before) and is_map(after):
        return not before or not after or not before.keys().isdisjoint(after)
    return is_list(before) and is_list(after)


@dataclass(frozen=True, slots=True)
class KeyChanges:
    """The differences between the keys of two mappings."""

    removed: Keys
    """Keys that only the base has, in its order."""
    reordered: tuple[Keys, Keys] | None
    """The keys on both sides that change places, in the order of the base and of the head."""
    added: tuple[tuple[Hashable, Keys], ...]
    """Keys that only the head has, in its order, each with the key before it; ``()`` for none."""
    shared: tuple[tuple[Hashable, Hashable], ...]
    """The keys of both sides, in the head's order, as each side has them."""


def compare_keys(base: Iterable[Hashable], head: Iterable[Hashable]) -> KeyChanges:
    """Compare the keys of two mappings; ``1`` and ``True`` are different keys."""
    ours = {key if key.__class__ is str else canonical(key): key for key in base}
    theirs = {key if key.__class__ is str else canonical(key): key for key in head}
    shared = tuple((ours[known], key) for known, key in theirs.items() if known in ours)
    if len(shared) == len(ours) == len(theirs) and list(ours) == list(theirs):
        return KeyChanges((), None, (), shared)
    kept = [known for known in ours if known in theirs]
    return KeyChanges(
        tuple(key for known, key in ours.items() if known not in theirs),
        _reorder(kept, [known for known in theirs if known in ours], ours, theirs),
        tuple(_find_added(theirs, ours)),
        shared,
    )


def _find_added(
    theirs: dict[Hashable, Hashable], ours: dict[Hashable, Hashable]
) -> Iterable[tuple[Hashable, Keys]]:
    behind: Keys = ()
    for known, key in theirs.items():
        if known not in ours:
            yield key, behind
        behind = (key,)


def _reorder(
    before: list[Hashable],
    after: list[Hashable],
    ours: dict[Hashable, Hashable],
    theirs: dict[Hashable, Hashable],
) -> tuple[Keys, Keys] | None:
    """Return the keys that change places, in both orders."""
    moving = [at for at, known in enumerate(before) if known != after[at]]
    if not moving:
        return None
    return tuple(ours[before[at]] for at in moving), tuple(theirs[after[at]] for at in moving)
