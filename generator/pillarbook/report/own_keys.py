"""Keys that one line of a file gives each minion under a name of its own: ``hosts:web1:port``."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeAlias

from pillarbook.compare.atoms import Atom
from pillarbook.compare.fold import ANY_KEY
from pillarbook.model import KeyPath

FEWEST_KEYS = 3
"""Keys that are told as one."""
MAX_SHARING = 2
"""Minions that have one of the keys, on average; keys of more minions have a meaning."""

ByValues: TypeAlias = dict[Hashable, list[Atom]]
"""The atoms of one place, by the values before and after."""
Place: TypeAlias = tuple[str, KeyPath, Hashable, Hashable, Hashable]
"""Kind, path, line of the base, line of the head and causes, which all may be None."""


def join_own_keys(places: Mapping[Place, ByValues]) -> list[ByValues]:
    """Return the atoms by place, where places are one that differ in a key of each minion's own.

    They have the same kind, lines and causes, and no minion has the change under two of the keys.
    """
    patterns: dict[Hashable, list[Place]] = defaultdict(list)
    for place, by_values in places.items():
        kind, path, *rest = place
        lines = _find_lines(next(iter(by_values.values()))[0])
        if lines is not None:
            for at in range(len(path)):
                pattern = (*path[:at], ANY_KEY, *path[at + 1 :])
                patterns[kind, at, pattern, lines, *rest].append(place)
    joined: dict[Place, list[Place]] = {}
    taken: set[Place] = set()
    for found in sorted(patterns.values(), key=len, reverse=True):
        free = [place for place in found if place not in taken]
        if len(free) >= FEWEST_KEYS and _are_own([places[place] for place in free]):
            joined[free[0]] = free
            taken.update(free)
    return [
        _join([places[one] for one in joined[place]]) if place in joined else by_values
        for place, by_values in places.items()
        if place in joined or place not in taken
    ]


def _find_lines(atom: Atom) -> Hashable | None:
    """Return the lines that set the values of an atom; None if any of them is not known."""
    origins = (atom.change.before_origin, atom.change.after_origin)
    lines = tuple((one.file, one.line) for one in origins if one is not None)
    return None if not lines or any(line is None for _, line in lines) else lines


def _are_own(some: Sequence[ByValues]) -> bool:
    """Say whether each of some keys belongs to a minion, or to a few, and no minion has two."""
    minions = [
        {minion for atoms in by_values.values() for atom in atoms for minion in atom.minions}
        for by_values in some
    ]
    total = sum(map(len, minions))
    return total <= MAX_SHARING * len(some) and total == len(set().union(*minions))


def _join(some: Sequence[ByValues]) -> ByValues:
    joined: ByValues = {}
    for by_values in some:
        for values, atoms in by_values.items():
            joined.setdefault(values, []).extend(atoms)
    return joined
