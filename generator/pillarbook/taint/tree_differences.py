"""Compares two compiles of one minion, and marks the differences in a tree.

A difference is a place in a tree; it has no value of its own.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import Enum
from itertools import groupby
from typing import Any, TypeAlias

from pillarbook.compile.placeholder_views import PlaceholderOrigin
from pillarbook.compile.reads import fingerprint
from pillarbook.model import (
    KeyPath,
    Leaf,
    ListNode,
    MapNode,
    Node,
    Origin,
    SecretOrigin,
    all_origins,
    plain,
)

# The time to align two lists grows with the square of their length.
MAX_ALIGNED = 2000
"""The most items; longer lists of unequal length are compared position by position."""


class DifferenceKind(Enum):
    """The kinds of differences."""

    VALUE = "value"
    """The leaf has another value."""
    ALONE = "alone"
    """The leaf or empty container exists only in the first tree."""
    BEYOND = "beyond"
    """It exists only in the second tree."""
    OVERRIDDEN = "overridden"
    """A value that the leaf overrode differs, or is new."""
    ORDER = "order"
    """The common keys have another order."""


@dataclass(frozen=True, slots=True)
class TreeDifference:
    """A place that differs."""

    kind: DifferenceKind
    """The kind of difference."""
    path: KeyPath
    """The path, in the second tree for ``BEYOND``, else in the first."""
    node: Node
    """The node at the path."""
    at: int = -1
    """For ``OVERRIDDEN``, the index of the origin."""
    is_itself: bool = False
    """Whether it is the secret itself, and the second tree has its placeholder."""

    @property
    def origin(self) -> Origin | None:
        """The origin that set the value."""
        known = (
            overridden_by(self.node)
            if self.kind is DifferenceKind.OVERRIDDEN
            else self.node.origins
        )
        return known[self.at] if known else None

    def below(self, key: Any) -> "TreeDifference":
        """Return the same difference with the path of the container above."""
        return replace(self, path=(key, *self.path))


def place_of(found: TreeDifference) -> Hashable:
    """Return a key for a difference that is the same in all compiles of the minion."""
    keys = tuple((key.__class__, key) for key in found.path)
    return found.kind, keys, found.at


def overridden_by(node: Node) -> tuple[Origin, ...]:
    """Return the origins of a node that include the overridden ones."""
    return node.origins if isinstance(node, Leaf) else node.overrode


TreeDifferences: TypeAlias = tuple[TreeDifference, ...]
Mark: TypeAlias = tuple[KeyPath, int | None, str]
"""The path of a leaf, the index of an overridden origin (None for the leaf itself), and the
reason."""


class TreeComparer:
    """Compares trees; nodes that trees share are compared once."""

    def __init__(self) -> None:
        # By the pair of nodes, which are compared by identity and never change; the cache keeps
        # them alive. Minions that share nodes share the comparison.
        self._found: dict[tuple[Node, Node], TreeDifferences] = {}
        self._marked: dict[tuple[Node, tuple[Mark, ...]], Node] = {}

    def trim(self, most: int = 200_000) -> None:
        """Empty the caches that have reached their limit."""
        if len(self._found) + len(self._marked) > most:
            self._found.clear()
            self._marked.clear()

    def compare(self, one: Node, other: Node) -> TreeDifferences:
        """Return the differences between two trees, in the order of the first."""
        if one is other:
            return ()
        found = self._found.get((one, other))
        if found is None:
            found = self._found[one, other] = tuple(self._compare(one, other))
        return found

    def mark(self, node: Node, marks: tuple[Mark, ...]) -> Node:
        """Return a tree with marks; equal marks on one tree give one tree.

        Parts without marks stay the same objects; the marks are in the order of the tree.
        """
        if not marks:
            return node
        made = self._marked.get((node, marks))
        if made is None:
            made = self._marked[node, marks] = self._mark(node, marks)
        return made

    def _compare(self, one: Node, other: Node) -> Iterable[TreeDifference]:
        if not isinstance(one, Leaf) and not isinstance(other, Leaf) and one.overrode:
            # After a merge of a list with itself, an overridden value may be a value as well.
            yield from _compare_overridden(one, one.overrode, all_origins(other))
        if isinstance(one, MapNode) and isinstance(other, MapNode):
            yield from self._compare_maps(one, other)
        elif isinstance(one, ListNode) and isinstance(other, ListNode):
            yield from self._compare_lists(one, other)
        elif isinstance(one, Leaf) and isinstance(other, Leaf):
            yield from _compare_leaves(one, other)
        else:
            yield from _all_of(
                one,
                DifferenceKind.VALUE if _is_end(one) and _is_end(other) else DifferenceKind.ALONE,
            )
            yield from _all_of(other, DifferenceKind.BEYOND)

    def _compare_maps(self, one: MapNode, other: MapNode) -> Iterable[TreeDifference]:
        for key, item in one.items.items():
            if key in other.items:
                yield from _below(key, self.compare(item, other.items[key]))
            else:
                yield from _below(key, _all_of(item, DifferenceKind.ALONE))
        for key, item in other.items.items():
            if key not in one.items:
                yield from _below(key, _all_of(item, DifferenceKind.BEYOND))
        # 1 and True are equal in a dict but different keys of a pillar.
        kinds = {key: key.__class__ for key in one.items if key.__class__ is not str}
        for key in other.items if kinds else ():
            if kinds.get(key, key.__class__) is not key.__class__:
                yield from _below(key, _all_of(one.items[key], DifferenceKind.ALONE))
        common = [key for key in one.items if key in other.items]
        if common != [key for key in other.items if key in one.items]:
            yield TreeDifference(DifferenceKind.ORDER, (), one)

    def _compare_lists(self, one: ListNode, other: ListNode) -> Iterable[TreeDifference]:
        found = list(self._compare_members(one, other))
        yield from found
        if len(one.items) != len(other.items):
            places = {
                _place(end.origin)
                for end in found
                if end.kind in (DifferenceKind.ALONE, DifferenceKind.BEYOND)
            }
            told = {end.path[0] for end in found if end.kind is not DifferenceKind.BEYOND}
            for index, item in enumerate(one.items):
                if index not in told:
                    ends = (end.below(index) for end in _all_of(item, DifferenceKind.ALONE))
                    yield from (end for end in ends if _place(end.origin) in places)

    def _compare_members(self, one: ListNode, other: ListNode) -> Iterable[TreeDifference]:
        for mine, theirs in _align(one.items, other.items):
            pairs = min(len(mine), len(theirs))
            for index, twin in zip(mine, theirs, strict=False):
                yield from _below(index, self.compare(one.items[index], other.items[twin]))
            for index in mine[pairs:]:
                yield from _below(index, _all_of(one.items[index], DifferenceKind.ALONE))
            for index in theirs[pairs:]:
                yield from _below(index, _all_of(other.items[index], DifferenceKind.BEYOND))

    def _mark(self, node: Node, marks: tuple[Mark, ...]) -> Node:
        own = [(at, words) for path, at, words in marks if not path]
        node = _mark_itself(node, own) if own else node
        if isinstance(node, Leaf) or len(own) == len(marks):
            return node
        inner: dict[Any, tuple[Mark, ...]] = {}
        for key, group in groupby((one for one in marks if one[0]), key=lambda one: one[0][0]):
            below = tuple((path[1:], at, words) for path, at, words in group)
            inner[key] = (*inner.get(key, ()), *below)
        if isinstance(node, MapNode):
            items = {
                key: self.mark(item, inner[key]) if key in inner else item
                for key, item in node.items.items()
            }
            return replace(node, items=items)
        members = (
            self.mark(item, inner[index]) if index in inner else item
            for index, item in enumerate(node.items)
        )
        return replace(node, items=tuple(members))


def _mark_itself(node: Node, marks: Sequence[tuple[int | None, str]]) -> Node:
    """Return a node with marks on itself and on the origins that it overrode."""
    origins = list(overridden_by(node))
    words_of_leaf = None
    for at, words in marks:
        if at is None:
            words_of_leaf = words
        else:
            origins[at] = _blame(origins[at], words)
    if isinstance(node, Leaf):
        return replace(node, origins=tuple(origins), secret=words_of_leaf or node.secret)
    return replace(node, overrode=tuple(origins))


def _blame(origin: Origin, words: str) -> SecretOrigin:
    """Return an origin whose value is secret for a reason; its ciphertext stays."""
    ciphertext = origin.ciphertext if isinstance(origin, SecretOrigin) else None
    return SecretOrigin.of(origin, origin.value, words, ciphertext)


def _place(origin: Origin | None) -> Hashable:
    """Return the position of an origin; all values that a loop writes have one position."""
    return None if origin is None else (origin.file, origin.line, origin.sls)


def _below(key: Any, found: Iterable[TreeDifference]) -> Iterable[TreeDifference]:
    return (one.below(key) for one in found)


def _compare_leaves(one: Leaf, other: Leaf) -> Iterable[TreeDifference]:
    if not _is_same(one.value, other.value):
        is_itself = any(isinstance(origin, PlaceholderOrigin) for origin in other.origins[-1:])
        yield TreeDifference(DifferenceKind.VALUE, (), one, is_itself=is_itself)
        return
    if len(one.origins) > 1:
        yield from _compare_overridden(one, one.origins[:-1], other.origins)


def _compare_overridden(
    one: Node, mine: Sequence[Origin], others: Sequence[Origin]
) -> Iterable[TreeDifference]:
    theirs: dict[Hashable, list[Origin]] = {}
    for origin in others:
        theirs.setdefault(_place(origin), []).append(origin)
    for at, origin in enumerate(mine):
        there = theirs.get(_place(origin), ())
        if not any(_is_same(origin.value, other.value) for other in there):
            is_itself = any(isinstance(other, PlaceholderOrigin) for other in there)
            yield TreeDifference(DifferenceKind.OVERRIDDEN, (), one, at, is_itself)


def _is_same(one: Any, other: Any) -> bool:
    if one.__class__ is str:
        return other.__class__ is str and bool(one == other)
    return fingerprint(one) == fingerprint(other)


def _is_end(node: Node) -> bool:
    return isinstance(node, Leaf) or not node.items


def _all_of(node: Node, kind: DifferenceKind) -> Iterable[TreeDifference]:
    """Yield a difference for each leaf of a tree."""
    if isinstance(node, Leaf) or not node.items:
        yield TreeDifference(kind, (), node)
        return
    for key, item in node.items.items() if isinstance(node, MapNode) else enumerate(node.items):
        yield from _below(key, _all_of(item, kind))


def _align(
    ones: Sequence[Node], others: Sequence[Node]
) -> Iterable[tuple[Sequence[int], Sequence[int]]]:
    """Yield the aligned ranges of two lists, as positions in each."""
    if len(ones) == len(others) or max(len(ones), len(others)) > MAX_ALIGNED:
        yield range(len(ones)), range(len(others))
        return
    mine, theirs = ([fingerprint(plain(item)) for item in items] for items in (ones, others))
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    for _, start, end, other_start, other_end in matcher.get_opcodes():
        yield range(start, end), range(other_start, other_end)
