"""Folds equal changes of many minions into one.

Changes that differ only in list positions are the same for a reader, so ``ANY_POSITION`` replaces
positions in paths.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from pillarbook.compare.change import Change
from pillarbook.compare.strict import Fingerprints, canonical
from pillarbook.model import KeyPath
from pillarbook.redact.redacted_pillar import RedactedOrigin


class ListPosition(Enum):
    """A placeholder for list positions in a path."""

    ANY = "[]"

    def __str__(self) -> str:
        """Return what is shown of it."""
        return self.value


ANY_POSITION = ListPosition.ANY
"""Any position in a list; no key of a pillar is this object."""


class PathKey(Enum):
    """A placeholder for keys in a path."""

    ANY = "*"

    def __str__(self) -> str:
        """Return what is shown of it."""
        return self.value


ANY_KEY = PathKey.ANY
"""Any key of a mapping; no key of a pillar is this object."""


@dataclass(frozen=True, slots=True)
class OwnKey:
    """A placeholder for keys with the name of each minion; no key of a pillar is this object."""

    pattern: str
    """The key with a star instead of the name."""

    def __str__(self) -> str:
        """Return what is shown of it."""
        return self.pattern


@dataclass(frozen=True, slots=True)
class FoldedChange:
    """A change, and the minions that it affects."""

    path: KeyPath
    """The path, with ``ANY_POSITION`` for each list position, also for an item of a list."""
    change: Change
    """One of the changes; the others have other list positions or another neighbour."""
    minions: tuple[str, ...]
    """The minions, each once, in the order in which they were added."""


class Fold:
    """Collects the changes of a fleet's minions."""

    def __init__(self) -> None:
        self._order: dict[str, int] = {}
        # By the identity of the changes: a comparison returns one object for all minions that share
        # parts; equal changes of other minions are joined in `finish`.
        self._groups: dict[int, tuple[Sequence[Change], list[int]]] = {}

    def add(self, minion: str, changes: Sequence[Change]) -> None:
        """Add the changes of a minion.

        The changes must not change later; an object that many minions share is folded once.
        """
        if not changes:
            return
        number = self._order.setdefault(minion, len(self._order))
        known = self._groups.get(id(changes))
        if known is None:  # the changes are kept, so that no other object gets their id
            known = self._groups[id(changes)] = (changes, [])
        known[1].append(number)

    def finish(self) -> tuple[FoldedChange, ...]:
        """Return the changes by path.

        Keys are in the order in which they first occurred in the fleet, each key before the keys
        below it; changes of one path are in the order in which they first occurred.
        """
        names = list(self._order)
        numbers = _FoldNumbers()
        folded: dict[int, tuple[Change, set[int]]] = {}
        paths = _PathTree()
        for changes, minions in self._groups.values():
            for change in changes:
                number = numbers.of(change)
                known = folded.get(number)
                if known is None:
                    known = folded[number] = (change, set())
                    paths.put(fold_path(change), number)
                known[1].update(minions)
        return tuple(
            FoldedChange(
                fold_path(folded[number][0]),
                folded[number][0],
                tuple(names[minion] for minion in sorted(folded[number][1])),
            )
            for number in paths
        )


def fold_path(change: Change) -> KeyPath:
    """Return a change's path with ``ANY_POSITION`` instead of each list position."""
    if not change.positions:
        return change.path
    return tuple(
        ANY_POSITION if at in change.positions else key for at, key in enumerate(change.path)
    )


class _FoldNumbers:
    """Gives changes that are shown as one the same number; each change is processed once."""

    def __init__(self) -> None:
        self._prints = Fingerprints()
        # By identity: the caller holds all changes as long as this object lives, so no id is used
        # twice.
        self._known: dict[int, int] = {}
        self._numbers: dict[Hashable, int] = {}

    def of(self, change: Change) -> int:
        number = self._known.get(id(change))
        if number is None:
            told = (
                change.kind,
                tuple(map(canonical, fold_path(change))),
                self._prints.of(change.before),
                self._prints.of(change.after),
                find_place(change.before_origin),
                find_place(change.after_origin),
            )
            number = self._numbers.setdefault(told, len(self._numbers))
            self._known[id(change)] = number
        return number


def find_place(origin: RedactedOrigin | None) -> tuple[str, int | None] | None:
    """Return the file and line of an origin; None for none."""
    return None if origin is None else (origin.file, origin.line)


@dataclass(slots=True)
class _PathTree:
    """Paths in the order in which their keys first occurred, level by level."""

    here: list[int] = field(default_factory=list)
    below: dict[Hashable, "_PathTree"] = field(default_factory=dict)

    def put(self, path: KeyPath, number: int) -> None:
        tree = self
        for key in path:
            tree = tree.below.setdefault(canonical(key), _PathTree())
        tree.here.append(number)

    def __iter__(self) -> Iterator[int]:
        rest = [self]
        while rest:
            tree = rest.pop()
            yield from tree.here
            rest.extend(reversed(tree.below.values()))
