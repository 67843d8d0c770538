"""Compares the lowstate of a minion on two sides: its states in the order in which they run.

Chunks are paired by the name of the state: environment, SLS, ID, module, function and name. If only
one of these differs, it is the same state with a changed argument. A new state changes the order
numbers of all states after it. This does not count as a change of an argument, and neither does the
position of a state.
"""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias

from pillarbook.compare.change import Change
from pillarbook.compare.compare_values import (
    ValuePair,
    WinningOrigins,
    added,
    compare_pair,
    removed,
)
from pillarbook.compare.fold import fold_path
from pillarbook.compare.strict import canonical

ChunkKind: TypeAlias = Literal["added", "removed", "changed", "moved"]
Chunk: TypeAlias = dict[Any, Any]
ORDER = "order"
FIRST_AUTOMATIC = 10_000
"""The first order number that Salt gives to states without an ``order``."""


class StateName(NamedTuple):
    """The name of a state of a minion; parts may be ``Redacted``."""

    env: Any
    """The environment of its SLS."""
    sls: Any
    """The SLS that declares it."""
    state_id: Any
    state: Any
    """The state module: ``file``."""
    fun: Any
    """The function: ``managed``."""
    name: Any
    """Its name, which is often the ID."""

    @classmethod
    def of(cls, chunk: Chunk) -> "StateName":
        """Return the name of a chunk."""
        return cls(*map(chunk.get, NAMING))


NAMING = ("__env__", "__sls__", "__id__", "state", "fun", "name")
"""The keys of a chunk that form its name, in the order of ``StateName``."""
_ROUNDS = ((), (0, 1), (2,), (4,), (5,))
"""The parts of a name that may differ in each round of pairing."""
_NAME = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkChange:
    """A difference between the states of a minion on two sides."""

    state: StateName
    """The name of the state in the head; for a removed state, in the base."""
    kind: ChunkKind
    """How it changed; ``moved`` if only its position in the order differs."""
    arguments: tuple[Change, ...] = ()
    """The differences by path in the chunk; for an added or removed state, all arguments."""
    chunk: Chunk | None = None
    """For an added or removed state: the whole chunk, which must not be changed."""
    before_at: int | None = None
    """The position in the base, counted from 0; None for an added state."""
    after_at: int | None = None
    """The position in the head; None for a removed state."""
    orders: tuple[Any, Any] | None = None
    """The order numbers on both sides, if they are shifted."""
    overtakes: bool = False
    """Whether its order relative to another state changes."""


def shape_of(change: ChunkChange) -> Hashable:
    """Return what changes of states have in common if they differ only in names and values."""
    arguments = () if change.kind != "changed" else change.arguments
    return (
        *map(canonical, (change.state.sls, change.state.state, change.state.fun)),
        change.kind,
        *((each.kind, tuple(map(canonical, fold_path(each)))) for each in arguments),
    )


def compare_chunks(
    base: Sequence[Chunk],
    head: Sequence[Chunk],
    base_origins: Callable[[int], WinningOrigins],
    head_origins: Callable[[int], WinningOrigins],
) -> tuple[ChunkChange, ...]:
    """Return the differences between the chunks, in the order of the head, removed states first.

    The origins are those of the values in a chunk, by its position.
    """
    pairs = _pair(base, head)
    overtaking = _find_overtaking(pairs)
    olds, news = {old for old, _ in pairs}, {new for _, new in pairs}
    found = [
        _one_sided("removed", chunk, at, base_origins(at))
        for at, chunk in enumerate(base)
        if at not in olds
    ]
    later = [
        _one_sided("added", chunk, at, head_origins(at))
        for at, chunk in enumerate(head)
        if at not in news
    ]
    for old, new in pairs:
        change = _compare(base[old], head[new], (old, new), base_origins, head_origins)
        if change is not None or new in overtaking:
            told = change or ChunkChange(
                state=StateName.of(head[new]), kind="moved", before_at=old, after_at=new
            )
            later.append(replace(told, overtakes=True) if new in overtaking else told)
    return (*found, *sorted(later, key=lambda change: change.after_at or 0))


def _compare(
    before: Chunk,
    after: Chunk,
    at: tuple[int, int],
    base_origins: Callable[[int], WinningOrigins],
    head_origins: Callable[[int], WinningOrigins],
) -> ChunkChange | None:
    """Return how a state differs; None if at most its position differs."""
    orders = _shifted(before, after)
    if orders is not None:
        after = {**after, ORDER: orders[0]}
    # Most chunks are equal, so their origins are not needed.
    pair = ValuePair(before, (), after, ())
    arguments = compare_pair(pair, _NOTHING, _NOTHING)
    if arguments:
        arguments = compare_pair(pair, base_origins(at[0]), head_origins(at[1]))
    elif orders is None:
        return None
    return ChunkChange(
        state=StateName.of(after),
        kind="changed" if arguments else "moved",
        arguments=arguments,
        before_at=at[0],
        after_at=at[1],
        orders=orders,
    )


_NOTHING = WinningOrigins(())


def _shifted(before: Chunk, after: Chunk) -> tuple[Any, Any] | None:
    """Return the order numbers of both sides, if Salt has assigned both and they differ."""
    orders = before.get(ORDER), after.get(ORDER)
    if canonical(orders[0]) == canonical(orders[1]) or not all(map(_is_automatic, orders)):
        return None
    return orders


def _is_automatic(order: Any) -> bool:
    return order.__class__ in (int, float) and order >= FIRST_AUTOMATIC


def _one_sided(
    kind: Literal["added", "removed"], chunk: Chunk, at: int, origins: WinningOrigins
) -> ChunkChange:
    arguments = {key: value for key, value in chunk.items() if key not in (*NAMING, ORDER)}
    is_added = kind == "added"
    pair = ValuePair({}, (), arguments, ()) if is_added else ValuePair(arguments, (), {}, ())
    return ChunkChange(
        state=StateName.of(chunk),
        kind=kind,
        arguments=tuple(
            added(pair, key, (), origins) if is_added else removed(pair, key, origins)
            for key in arguments
        ),
        chunk=chunk,
        before_at=None if is_added else at,
        after_at=at if is_added else None,
    )


def _pair(base: Sequence[Chunk], head: Sequence[Chunk]) -> list[tuple[int, int]]:
    """Return the positions of chunks that are the same state, in the order of the base."""
    pairs: list[tuple[int, int]] = []
    olds, news = dict(enumerate(base)), dict(enumerate(head))
    for differing in _ROUNDS:
        waiting: dict[Hashable, list[int]] = {}
        for at, chunk in news.items():
            waiting.setdefault(_name_without(chunk, differing, at), []).append(at)
        for places in waiting.values():
            places.reverse()
        for old, chunk in list(olds.items()):
            fitting = waiting.get(_name_without(chunk, differing, -1 - old))
            if fitting:
                new = fitting.pop()
                pairs.append((old, new))
                del olds[old], news[new]
    return sorted(pairs)


def _name_without(chunk: Chunk, differing: tuple[int, ...], own: int) -> Hashable:
    """Return the name of a chunk without some parts; a unique number for an item of ``names``.

    A state with ``names`` has a chunk for each name, so another name is another chunk.
    """
    if _NAME in differing and _is_of_names(chunk.get(ORDER)):
        return own
    name = StateName.of(chunk)
    return tuple(canonical(part) for at, part in enumerate(name) if at not in differing)


def _is_of_names(order: Any) -> bool:
    """Say whether a chunk is one of several ``names``, which have fractional numbers."""
    return isinstance(order, float) and not order.is_integer()


def _find_overtaking(pairs: Sequence[tuple[int, int]]) -> set[int]:
    """Return the positions in the head of the fewest states that explain all changes of order."""
    ends: list[int] = []
    at_end: list[int] = []
    before: list[int] = []
    for index, (_, new) in enumerate(pairs):
        place = bisect_left(ends, new)
        before.append(at_end[place - 1] if place else -1)
        ends[place : place + 1] = [new]
        at_end[place : place + 1] = [index]
    kept = set(_walk_back(at_end[-1] if at_end else -1, before))
    return {new for index, (_, new) in enumerate(pairs) if index not in kept}


def _walk_back(last: int, before: Sequence[int]) -> Iterator[int]:
    while last >= 0:
        yield last
        last = before[last]
