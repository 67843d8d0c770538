"""Applies changes to the data that they were found in the base of.

Container by container, from the top down: first its keys or members are made those of the head,
then values that are there are changed; what lies below comes after.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from pillarbook.compare.change import Change
from pillarbook.compare.chunks import ORDER, Chunk, ChunkChange
from pillarbook.compare.strict import canonical
from pillarbook.model import KeyPath


def apply_changes(data: dict[Any, Any], changes: Iterable[Change]) -> dict[Any, Any]:
    """Return the head's data.

    Args:
        data: The base's data, as ``comparable_data`` gives it; stays as it is.
        changes: What ``Comparer.compare`` found between it and the head, in any order.

    Returns:
        Containers of its own, in which tuples have become lists.

    Raises:
        KeyError: The changes are not of this data: a key is not there.
        IndexError: The changes are not of this data: a list is too short.
    """
    made: dict[Any, Any] = _copy(data)
    by_container: dict[tuple[Hashable, ...], list[Change]] = {}
    for change in changes:
        known = tuple(map(canonical, change.container))
        by_container.setdefault(known, []).append(change)
    for group in sorted(by_container.values(), key=lambda group: len(group[0].container)):
        container = _find(made, group[0].container)
        if isinstance(container, dict):
            _change_mapping(container, group)
        else:
            _change_list(container, group)
    return made


def _copy(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _copy(item) for key, item in data.items()}
    if isinstance(data, list | tuple):
        return [_copy(item) for item in data]
    return data


def _find(data: Any, path: KeyPath) -> Any:
    for key in path:
        data = data[_own_key(data, key) if isinstance(data, dict) else key]
    return data


def _own_key(mapping: dict[Any, Any], key: Any) -> Any:
    """Return a key as the mapping has it; NaN is found only so."""
    if key in mapping:
        return key
    known = canonical(key)
    for own in mapping:
        if canonical(own) == known:
            return own
    raise KeyError(key)


def _of_kind(changes: Iterable[Change], kind: str) -> list[Change]:
    return [change for change in changes if change.kind == kind]


def _change_mapping(mapping: dict[Any, Any], changes: Sequence[Change]) -> None:
    for change in _of_kind(changes, "removed"):
        del mapping[_own_key(mapping, change.path[-1])]
    order = list(mapping)
    for change in _of_kind(changes, "reordered"):
        order = _refill(mapping, change)
    values = dict(mapping)
    added = {_before_it(change): change for change in _of_kind(changes, "added")}
    mapping.clear()
    _put_added(mapping, added, None)
    for key in order:
        mapping[key] = values[key]
        _put_added(mapping, added, ("key", canonical(key)))
    if added:
        raise KeyError(next(iter(added.values())).behind)
    for change in _of_kind(changes, "changed"):
        mapping[_own_key(mapping, change.path[-1])] = _copy(change.after)


def _refill(mapping: dict[Any, Any], change: Change) -> list[Any]:
    """Return the mapping's keys, the places of the moving ones taken in their new order."""
    moving = {canonical(key) for key in change.before}
    refill = iter(change.after)
    return [_own_key(mapping, next(refill)) if canonical(key) in moving else key for key in mapping]


def _before_it(change: Change) -> Hashable:
    return ("key", canonical(change.behind[0])) if change.behind else None


def _put_added(mapping: dict[Any, Any], added: dict[Hashable, Change], behind: Hashable) -> None:
    """Put in what comes behind a key, and what comes behind that."""
    while (change := added.pop(behind, None)) is not None:
        key = change.path[-1]
        mapping[key] = _copy(change.after)
        behind = ("key", canonical(key))


def _change_list(members: list[Any], changes: Sequence[Change]) -> None:
    added = {change.path[-1]: _copy(change.after) for change in _of_kind(changes, "added")}
    gone = {change.path[-1] for change in _of_kind(changes, "removed")}
    for change in _of_kind(changes, "moved"):
        assert change.moved_from is not None
        added[change.moved_to] = members[change.moved_from]
        gone.add(change.moved_from)
    length = len(members) - len(gone) + len(added)
    for at, end in (*((at, len(members)) for at in gone), *((at, length) for at in added)):
        if at not in range(end):
            raise IndexError(at)
    kept = iter([member for at, member in enumerate(members) if at not in gone])
    members[:] = [added[at] if at in added else next(kept) for at in range(length)]
    for change in _of_kind(changes, "changed"):
        place: Any = change.path[-1]
        members[place] = _copy(change.after)


def apply_chunk_changes(base: Sequence[Chunk], changes: Iterable[ChunkChange]) -> list[Chunk]:
    """Return the head's chunks.

    ``changes`` are what ``compare_chunks`` found between the base's, which stay as they are, and
    the head's.
    """
    placed: dict[int, Chunk] = {}
    taken = set()
    for change in changes:
        if change.before_at is not None:
            taken.add(change.before_at)
        if change.after_at is None:
            continue
        if change.before_at is None:
            placed[change.after_at] = dict(change.chunk or {})
        else:
            placed[change.after_at] = _apply(base[change.before_at], change)
    kept = iter([chunk for at, chunk in enumerate(base) if at not in taken])
    length = len(base) - len(taken) + len(placed)
    return [placed[at] if at in placed else next(kept) for at in range(length)]


def _apply(chunk: Chunk, change: ChunkChange) -> Chunk:
    made = apply_changes(chunk, change.arguments)
    if change.orders is not None:
        made[ORDER] = change.orders[1]
    return made
