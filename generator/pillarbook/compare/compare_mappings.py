"""How the keys of two mappings differ: which came, which went, which stand elsewhere."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from pillarbook.compare.strict import canonical

Keys: TypeAlias = tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class KeyChanges:
    """What makes the keys of one mapping those of another."""

    removed: Keys
    """Keys of the base only, in its order."""
    reordered: tuple[Keys, Keys] | None
    """The keys on both sides that change places, in the order of the base and of the head."""
    added: tuple[tuple[Hashable, Keys], ...]
    """Keys of the head only, in its order, each with the one key before it: ``()`` for none."""
    shared: tuple[tuple[Hashable, Hashable], ...]
    """The keys on both sides, in the head's order, as each side has them."""


def compare_keys(base: Iterable[Hashable], head: Iterable[Hashable]) -> KeyChanges:
    """Compare the keys of two mappings; ``1`` and ``True`` are two keys."""
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
    """Return the keys whose places are taken by others, in both orders."""
    moving = [at for at, known in enumerate(before) if known != after[at]]
    if not moving:
        return None
    return tuple(ours[before[at]] for at in moving), tuple(theirs[after[at]] for at in moving)
