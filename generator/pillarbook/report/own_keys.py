"""Keys that one line of a file gives each minion under a name of its own: ``hosts:web1:port``.

A name is a minion's own if few minions share it; a pattern has a star instead of a minion's name.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from pillarbook.compare.atoms import Atom
from pillarbook.compare.chunks import StateName, shape_of
from pillarbook.compare.fold import ANY_KEY, OwnKey, PathKey, fold_path
from pillarbook.compare.state_changes import StateChange
from pillarbook.compare.strict import Fingerprints
from pillarbook.model import KeyPath
from pillarbook.model.phrases import common_ends
from pillarbook.redact import Redacted
from pillarbook.report.usual_values import find_names, find_shape, names_of

FEWEST_KEYS = 3
"""Keys that are told as one."""
MAX_SHARING = 2
"""Minions that have one of the keys, on average; keys of more minions have a meaning."""
KEYS_FOR_EACH = 4
"""With so many keys for each minion that shares one on average, nobody reads them one by one."""

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
        if len(free) >= FEWEST_KEYS and are_own([places[place] for place in free]):
            joined[free[0]] = free
            taken.update(free)
    return [
        join_values([places[one] for one in joined[place]]) if place in joined else by_values
        for place, by_values in places.items()
        if place in joined or place not in taken
    ]


def _find_lines(atom: Atom) -> Hashable | None:
    """Return the lines that set the values of an atom; None if any of them is not known."""
    origins = (atom.change.before_origin, atom.change.after_origin)
    lines = tuple((one.file, one.line) for one in origins if one is not None)
    return None if not lines or any(line is None for _, line in lines) else lines


def are_own(some: Sequence[ByValues]) -> bool:
    """Say whether each of some keys belongs to a minion, or to a few, and no minion has two."""
    minions = [
        {minion for atoms in by_values.values() for atom in atoms for minion in atom.minions}
        for by_values in some
    ]
    total = sum(map(len, minions))
    return are_few([*map(len, minions)]) and total == len(set().union(*minions))


def are_few(sizes: Sequence[int]) -> bool:
    """Say whether few minions share each of some names, so that a name means nothing else."""
    sharing = max(MAX_SHARING, len(sizes) // KEYS_FOR_EACH)
    return sum(sizes) <= sharing * len(sizes) and max(sizes) <= 2 * sharing


def join_values(some: Sequence[ByValues]) -> ByValues:
    """Return the atoms of several places as those of one."""
    joined: ByValues = {}
    for by_values in some:
        for values, atoms in by_values.items():
            joined.setdefault(values, []).extend(atoms)
    return joined


def find_pattern(keys: Sequence[object], atoms: Sequence[Atom]) -> OwnKey | PathKey:
    """Return what keys have in common if each has the name of its minion; otherwise any key."""
    patterns = {hide_name(key, atom.minions) for key, atom in zip(keys, atoms, strict=True)}
    pattern = patterns.pop()
    return ANY_KEY if patterns or pattern in (None, str(ANY_KEY)) else OwnKey(str(pattern))


def hide_names(path: KeyPath, minions: Sequence[str]) -> KeyPath:
    """Return a path with a pattern instead of each key that has its minion's name."""
    hidden = ((key, hide_name(key, minions)) for key in path)
    return tuple(key if pattern is None else OwnKey(pattern) for key, pattern in hidden)


def hide_name(key: object, minions: Sequence[str]) -> str | None:
    """Return a key with a star instead of its minion's name, also at the end of a word."""
    names = [name for name in names_of(minions) if isinstance(key, str) and name in key]
    words = [find_names(name) for name in names]
    ends = [re.compile(rf"{re.escape(name)}(?![^\W_])") for name in names]
    for wanted in (*words, *ends):
        pattern, number = wanted.subn(str(ANY_KEY), str(key))
        if number:
            return pattern
    return None


def join_own_lines(groups: Iterable[ByValues], prints: Fingerprints) -> list[ByValues]:
    """Return the atoms by place, where places are one that do the same to a minion each.

    They change a key of the same name, or with the minion's name in it, to the same effect.
    """
    found = [*groups]
    by_path: dict[Hashable, list[int]] = defaultdict(list)
    for number, by_values in enumerate(found):
        atom = _find_own(by_values)
        if atom is not None:
            by_path[_find_path(atom)].append(number)
    alike: dict[Hashable, list[int]] = defaultdict(list)
    for path, numbers in by_path.items():
        for number in numbers if len(numbers) >= FEWEST_KEYS else ():
            ((atom,),) = found[number].values()
            alike[path, _find_effect(atom, prints)].append(number)
    joined = {
        numbers[0]: numbers
        for numbers in alike.values()
        if len(numbers) >= FEWEST_KEYS and are_own([found[number] for number in numbers])
    }
    taken = {number for numbers in joined.values() for number in numbers}
    return [
        join_values([found[one] for one in joined[number]]) if number in joined else by_values
        for number, by_values in enumerate(found)
        if number in joined or number not in taken
    ]


def _find_own(by_values: ByValues) -> Atom | None:
    """Return the only atom of a place if it is of one minion, for a known cause."""
    atoms: Sequence[Atom] = [atom for some in by_values.values() for atom in some]
    is_own = len(atoms) == 1 and len(atoms[0].minions) == 1 and atoms[0].because
    return atoms[0] if is_own and atoms[0].change.kind != "moved" else None


def _find_path(atom: Atom) -> Hashable:
    names = find_names(*names_of(atom.minions))
    path = fold_path(atom.change)
    return atom.change.kind, tuple(
        ("named", names.sub("\0", key)) if isinstance(key, str) else (type(key), key)
        for key in path
    )


def _find_effect(atom: Atom, prints: Fingerprints) -> Hashable:
    """Return what an atom does; nobody sees what it does to a secret, and any loss is a loss."""
    change = atom.change
    if change.kind == "removed" and len(change.path) - 1 not in change.positions:
        return change.kind
    if isinstance(change.before, Redacted) and isinstance(change.after, Redacted):
        return Redacted
    return find_shape(change, names_of(atom.minions), prints)


FEWEST_NAMES = 3
"""Names that are told as one."""


def fold_names(states: Sequence[StateChange]) -> list[StateChange]:
    """Return changes of states with ``*`` in names where each minion has a name of its own.

    They are changes of the same kind, in the same arguments, of the same function in the same SLS,
    and no minion has two of them. Names without the name of a minion are those of a few minions.
    """
    alike: dict[Hashable, list[StateChange]] = defaultdict(list)
    for one in states:
        alike[find_nameless_shape(one)].append(one)
    names = {shape: _join_names(some) for shape, some in alike.items()}
    return [
        one if name is None else replace(one, change=replace(one.change, state=name))
        for one in states
        for name in [names[find_nameless_shape(one)]]
    ]


def find_nameless_shape(one: StateChange) -> Hashable:
    """Return what changes have in common if they differ in values, and in names of few minions."""
    state = one.change.state
    hidden = [hide_name(name, one.minions) for name in (state.state_id, state.name)]
    return (shape_of(one.change), *hidden)


def _join_names(some: Sequence[StateChange]) -> StateName | None:
    """Return a name for all of some states; None if they have to keep theirs."""
    names = [one.change.state for one in some]
    parts = [(name.state_id, name.name) for name in names]
    if not all(isinstance(part, str) for both in parts for part in both):
        return None
    minions = [minion for one in some for minion in one.minions]
    having = Counter(both for both, one in zip(parts, some, strict=True) for _ in one.minions)
    is_own = len(minions) == len(set(minions)) and are_few([*having.values()])
    if len(having) < FEWEST_NAMES or not is_own:
        return None
    ids, own = zip(*parts, strict=True)
    return names[0]._replace(env=None, state_id=_join_texts(ids), name=_join_texts(own))


def _join_texts(texts: Sequence[str]) -> str:
    """Return what texts begin and end with, and ``*`` between them."""
    if len(set(texts)) == 1:
        return texts[0]
    return "*".join(common_ends(texts))
