"""Changes of the same minions that are one change for a reader.

A list member that another one replaces is one changed value; a key that moved with its value is
renamed; equal changes below sibling keys are one change with a pattern; many moves in one list are
one reordering.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from pillarbook.compare.atoms import Atom
from pillarbook.compare.change import Change
from pillarbook.compare.fold import ANY_KEY, find_place, fold_path
from pillarbook.compare.strict import Fingerprints, canonical
from pillarbook.model import KeyPath
from pillarbook.redact import Redacted
from pillarbook.report.folded_atoms import FoldedAtoms, unite_causes
from pillarbook.report.replaced_lists import pair_members
from pillarbook.report.usual_values import Look, find_shape, split_by_look

FEWEST_SIBLINGS = 3
"""Equal changes below sibling keys that are told as one."""
MANY_SIBLINGS = 100
"""Changes of sibling keys by one line, mostly in a loop, that are one whatever their values."""
MAX_ODD = 3
"""Other changes that are told beside many sibling keys that change alike."""
MAX_MOVES = 3
"""Moves in one list that are told one by one."""
SHORTEST_RENAMED = 8
"""Characters of a text that is recognized under another key; short ones are equal by chance."""
SHORTEST_BESIDE = 3
"""Characters of a value that is recognized under another key of the same mapping."""
_Siblings: TypeAlias = tuple[int, int, KeyPath, str, Hashable]
"""The place of a key, the fewest changes that are one, the pattern, kind, and what they share."""
_SETTING = re.compile(r"[^\s=]+=")


def fold_similar(told: Sequence[FoldedAtoms]) -> list[FoldedAtoms]:
    """Return changes with those folded that are one for a reader; the order stays."""
    prints = Fingerprints()
    found = _merge(told, _key_of_member, _pair_members)
    found = _merge(found, lambda one: _key_of_moved(one, prints), _rename)
    return _fold_siblings(_count_moves(found), prints)


def _count_moves(told: Sequence[FoldedAtoms]) -> list[FoldedAtoms]:
    """Join the moves of one list, instead of the first of them, if they are many."""
    groups: dict[Hashable, list[FoldedAtoms]] = {}
    for number, one in enumerate(told):
        is_move = one.change.kind == "moved"
        path = tuple(map(canonical, one.change.path))
        groups.setdefault(("moved", path) if is_move else number, []).append(one)
    return [
        one
        for some in groups.values()
        for one in (some if len(some) <= MAX_MOVES else [_join_moves(some)])
    ]


def _join_moves(some: Sequence[FoldedAtoms]) -> FoldedAtoms:
    variants = count_orders([atom for one in some for atom in one.atoms])
    return _join(some, times=sum(one.times for one in some), variants=variants)


def count_orders(moves: Sequence[Atom]) -> int:
    """Return how many ways there are in which members moved; minions with one list share one."""
    ways: dict[str, list[int]] = {}
    for atom in moves:
        for minion in atom.minions:
            ways.setdefault(minion, []).append(atom.id)
    return len(set(map(frozenset, ways.values())))


def _merge(
    told: Sequence[FoldedAtoms],
    key: Callable[[FoldedAtoms], Hashable | None],
    join: Callable[[Sequence[FoldedAtoms], Sequence[FoldedAtoms]], Iterable[FoldedAtoms]],
) -> list[FoldedAtoms]:
    """Join the removed and the added changes with one key, instead of the first of them."""
    groups: dict[Hashable, list[FoldedAtoms]] = {}
    for number, one in enumerate(told):
        own = key(one) if one.change.kind in ("added", "removed") else None
        groups.setdefault(number if own is None else ("joined", own), []).append(one)
    found: list[FoldedAtoms] = []
    for some in groups.values():
        removed = [one for one in some if one.change.kind == "removed"]
        added = [one for one in some if one.change.kind == "added"]
        found += join(removed, added) if removed and added else some
    return found


def _key_of_member(one: FoldedAtoms) -> Hashable | None:
    """Return the list of a scalar member; None for anything else."""
    change = one.change
    is_member = len(change.path) - 1 in change.positions
    value = _value_of(one)
    is_scalar = not isinstance(value, Redacted | Mapping | list | tuple)
    if not is_member or not is_scalar or one.variants > 1:
        return None
    return one.times, tuple(map(canonical, change.path[:-1]))


def _pair_members(
    removed: Sequence[FoldedAtoms], added: Sequence[FoldedAtoms]
) -> Iterator[FoldedAtoms]:
    pairs, rest = pair_members(removed, added, _value_of)
    yield from rest
    for old, new in pairs:
        change = replace(
            new.change,
            kind="changed",
            before=old.change.before,
            before_origin=old.change.before_origin,
        )
        yield _join([old, new], change=change, times=new.times)


def _value_of(one: FoldedAtoms) -> Any:
    return one.change.after if one.change.kind == "added" else one.change.before


def _key_of_moved(one: FoldedAtoms, prints: Fingerprints) -> Hashable | None:
    """Return what is recognized under another key: a value, or that of each minion; else None."""
    if one.variants == 1:
        return _recognize(one.change, prints)
    found = {atom.id: _recognize(atom.change, prints) for atom in one.atoms}
    if None in found.values():
        return None
    return frozenset((minion, found[atom.id]) for atom in one.atoms for minion in atom.minions)


def _recognize(change: Change, prints: Fingerprints) -> Hashable | None:
    """Return a value that is recognized under another key; None for any other."""
    value = change.after if change.kind == "added" else change.before
    is_text = isinstance(value, str) and len(value) >= SHORTEST_RENAMED
    is_container = isinstance(value, Mapping | list | tuple) and bool(value)
    # A decrypted secret is compared with nothing that has another key path: see `secret_pairs`.
    is_secret = isinstance(value, Redacted) and value.here is None
    if change.positions:
        return None
    if is_text or is_container or is_secret:
        return prints.of(value)
    is_short = isinstance(value, bool) or not isinstance(value, str | int | float)
    if is_short or len(str(value)) < SHORTEST_BESIDE:
        return None
    return prints.of(value), tuple(map(canonical, change.path[:-1]))


def _rename(removed: Sequence[FoldedAtoms], added: Sequence[FoldedAtoms]) -> Iterable[FoldedAtoms]:
    if len(removed) > 1 or len(added) > 1:  # nobody can say which became which
        return [*removed, *added]
    (old,), (new,) = removed, added
    return [_join([old, new], change=new.change, times=1, was=old.change.path)]


def _fold_siblings(told: Sequence[FoldedAtoms], prints: Fingerprints) -> list[FoldedAtoms]:
    """Fold equal changes below sibling keys or positions, those with most siblings first."""
    groups: dict[_Siblings, list[int]] = defaultdict(list)
    for number, one in enumerate(told):
        kind = one.change.kind
        for at, pattern in _patterns(one):
            groups[at, FEWEST_SIBLINGS, pattern, kind, _values(one, prints)].append(number)
        for at, pattern in _patterns_of_line(one):
            groups[at, MANY_SIBLINGS, pattern, kind, _lines(one)].append(number)
    first: dict[int, FoldedAtoms] = {}
    taken: set[int] = set()
    for (at, fewest, *_), numbers in sorted(groups.items(), key=lambda item: -len(item[1])):
        free = [number for number in numbers if number not in taken]
        if len(free) < fewest:
            continue
        usual, is_similar = (
            _find_usual(free, told, at, prints) if fewest == MANY_SIBLINGS else ((), False)
        )
        free = [*usual] or free
        some = [told[number] for number in free]
        change = some[0].change
        keys = {canonical(one.change.path[at]) for one in some}
        if at not in change.positions and len(keys) > 1:
            change = replace(change, path=(*change.path[:at], ANY_KEY, *change.path[at + 1 :]))
        values = {(prints.of(one.change.before), prints.of(one.change.after)) for one in some}
        variants = max(len(values), *(one.variants for one in some))
        first[free[0]] = replace(
            _join(some, change=change, times=len(some), variants=variants), similar=is_similar
        )
        taken.update(free)
    kept = ((number, first.get(number, one)) for number, one in enumerate(told))
    return [one for number, one in kept if number not in taken or number in first]


def _find_usual(
    numbers: Sequence[int], told: Sequence[FoldedAtoms], at: int, prints: Fingerprints
) -> tuple[Sequence[int], bool]:
    """Return the changes that do the same below sibling keys; none if many do something else.

    Also whether they are alike for a reader.
    """

    def shape_of(number: int, look: Look) -> Hashable:
        one = told[number]
        if one.variants > 1 and not one.similar:
            return number
        return find_shape(one.change, [one.change.path[at]], prints, look)

    usual, others, is_similar = split_by_look(numbers, shape_of, [1] * len(numbers))
    return (usual, is_similar) if len(others) <= MAX_ODD else ((), False)


def _patterns_of_line(one: FoldedAtoms) -> Iterator[tuple[int, KeyPath]]:
    """Yield a change's path with any key instead of each key, if it is known what the cause is."""
    path = fold_path(one.change)
    if one.because and one.times == 1 and one.was is None:
        for at in range(len(path)):
            if at not in one.change.positions:
                yield at, (*path[:at], ANY_KEY, *path[at + 1 :])


def _lines(one: FoldedAtoms) -> Hashable:
    """Return the lines that set the values of a change, and those that are its cause."""
    change = one.change
    return one.because, find_place(change.before_origin), find_place(change.after_origin)


def _patterns(one: FoldedAtoms) -> Iterator[tuple[int, KeyPath]]:
    """Yield a change's path with any key instead of each key but the last one, or any position."""
    path = fold_path(one.change)
    if one.variants == 1 and one.times == 1 and one.was is None:
        for at in range(len(path) - 1):
            if at not in one.change.positions:
                yield at, (*path[:at], ANY_KEY, *path[at + 1 :])
        if one.change.positions and one.change.kind == "changed":
            yield max(one.change.positions), path


def _values(one: FoldedAtoms, prints: Fingerprints) -> Hashable:
    change = one.change
    setting = _find_setting(change.before, change.after)
    if setting is not None:
        return setting
    return prints.of(change.before), prints.of(change.after), change.moved_from, change.moved_to


def _find_setting(before: Any, after: Any) -> tuple[str, str] | None:
    """Return the one word like ``max-age=60`` in which two texts differ, as both have it."""
    if not (isinstance(before, str) and isinstance(after, str)):
        return None
    old, new = before.split(), after.split()
    pairs = {pair for pair in zip(old, new, strict=False) if pair[0] != pair[1]}
    if len(old) != len(new) or len(pairs) != 1:
        return None
    ((one, other),) = pairs
    names = _SETTING.match(one), _SETTING.match(other)
    is_setting = names[0] is not None and names[1] is not None and names[0][0] == names[1][0]
    return (one, other) if is_setting else None


def _join(some: Sequence[FoldedAtoms], **values: Any) -> FoldedAtoms:
    """Return changes as one, with all their causes and atoms."""
    return replace(
        some[0],
        because=unite_causes(some),
        proven=all(one.proven for one in some),
        atoms=tuple(atom for one in some for atom in one.atoms),
        **values,
    )
