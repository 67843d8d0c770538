"""Finds the differences between a compiled pillar and a dump of the live one."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from pillarbook.compile.renderers.ciphertext import is_ciphertext
from pillarbook.model import KeyPath, Leaf, ListNode, MapNode, Node
from pillarbook.model.limited_cache import LimitedCache, recall
from pillarbook.model.unknown import UnknownKey, unknown_of
from pillarbook.verify.printed_values import MASK, is_masked, is_printed_as, printed, printed_key

DumpDifferenceKind: TypeAlias = Literal["only here", "only in the dump", "different"]
MAX_KEPT = 100_000
"""The most printed parts of pillars that are cached; then the cache is cleared."""
ERRORS = "_errors"
OPTIONS = "master"
"""The key under which ``pillar_opts`` puts the master's options."""
SEALED = "sealed"
UNANSWERED = "unknown here"
MASKED = "masked in the dump"
MASTER_OPTIONS = "options of the master"


@dataclass(frozen=True, slots=True, eq=False)
class DumpDifference:
    """A part of a pillar that is not the same on both sides; the topmost such part."""

    path: KeyPath
    """The path; keys as they are here, if they are here."""
    kind: DumpDifferenceKind
    ours: Node | None
    """The compiled node."""
    theirs: Any
    """The value of the dump; None if it has none."""
    weight: int
    """The number of values in this part."""

    def __repr__(self) -> str:
        """Return the path and kind, never a value."""
        return f"Difference({self.path!r}, {self.kind!r})"


@dataclass(slots=True)
class Comparison:
    """The comparison of one minion's pillar with its dump."""

    differences: list[DumpDifference] = field(default_factory=list)
    """In the order of the pillar; parts that only the dump has come after those beside them."""
    not_compared: Counter[str] = field(default_factory=Counter)
    """The number of values that were not compared, by the reason."""
    sealed: list[str] = field(default_factory=list)
    """The dump's values for ciphertext here: secrets, which nobody may see."""
    has_same_errors: bool = False
    """Whether the dump has the same ``_errors`` as the pillar here."""

    @property
    def weight(self) -> int:
        """The number of values that differ."""
        return sum(one.weight for one in self.differences)

    @property
    def places(self) -> frozenset[KeyPath]:
        """The paths that differ."""
        return frozenset(one.path for one in self.differences)


class GivenPillar:
    """A minion's pillar in the dump; each part is printed once, to be compared as text."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        """The pillar as it is printed."""
        self._texts = LimitedCache[str, str](MAX_KEPT)

    def text(self, key: str) -> str:
        """Return the text of the part below a top-level key; equal parts have equal texts."""
        return recall(self._texts, key, lambda: canonical(self.data[key]))


class PillarComparer:
    """Compares one minion after another; parts that minions share are printed once."""

    def __init__(self) -> None:
        self._texts: dict[Node, str] = {}

    def compare(
        self, tree: MapNode, given: GivenPillar, *, errors: bool = False, options: bool = False
    ) -> Comparison:
        """Return the differences between a pillar and its dump.

        If Salt writes ``_errors`` (``errors``), only its presence is compared. With ``options``,
        ``master`` has options, of which a master has more than are here.
        """
        found = Comparison()
        walk = _Walk(found)
        names = {printed_key(key): (key, node) for key, node in tree.items.items()}
        for name, (key, node) in names.items():
            if name not in given.data:
                walk.add_ours((key,), node)
            elif name == ERRORS and errors:
                found.has_same_errors = self._text(node) == given.text(name)
            elif name == OPTIONS and options:
                found.not_compared[MASTER_OPTIONS] += 1
            elif self._text(node) != given.text(name):
                walk.compare((key,), node, given.data[name])
        walk.add_all_theirs((), tree, {k: v for k, v in given.data.items() if k not in names})
        return found

    def _text(self, node: Node) -> str:
        return recall(self._texts, node, lambda: canonical(printed(node)))


class _Walk:
    """Goes through both sides and records the differences."""

    def __init__(self, found: Comparison) -> None:
        self._found = found

    def compare(self, path: KeyPath, node: Node, given: Any) -> None:
        if unknown_of(node) is not None:
            self._found.not_compared[UNANSWERED] += 1
        elif isinstance(node, MapNode):
            if isinstance(given, dict):
                self._compare_members(path, node, given)
            else:
                self._add(path, "different", node, given)
        elif isinstance(node, ListNode):
            if isinstance(given, list):
                self._compare_lists(path, node, given)
            else:
                self._add(path, "different", node, given)
        else:
            self._compare_leaves(path, node, given)

    def add_ours(self, path: KeyPath, node: Node) -> None:
        unknown = unknown_of(node)
        if path[-1].__class__ is UnknownKey or (unknown is not None and unknown.may_miss):
            self._found.not_compared[UNANSWERED] += 1
        else:
            self._add(path, "only here", node, None)

    def add_all_theirs(self, path: KeyPath, node: MapNode, given: Mapping[str, Any]) -> None:
        """Add the members that only the dump's mapping has."""
        if any(key.__class__ is UnknownKey for key in node.items):  # which may be any of them
            self._found.not_compared[UNANSWERED] += len(given)
            return
        for name, value in given.items():
            self.add_theirs((*path, name), value)

    def add_theirs(self, path: KeyPath, given: Any) -> None:
        self._add(path, "only in the dump", None, given)

    def _compare_members(self, path: KeyPath, node: MapNode, given: dict[str, Any]) -> None:
        names = {printed_key(key): (key, item) for key, item in node.items.items()}
        for name, (key, item) in names.items():
            if name in given:
                self.compare((*path, key), item, given[name])
            else:
                self.add_ours((*path, key), item)
        self.add_all_theirs(path, node, {k: v for k, v in given.items() if k not in names})

    def _compare_lists(self, path: KeyPath, node: ListNode, given: list[Any]) -> None:
        ours, theirs = len(node.items), len(given)
        is_flat = all(isinstance(item, Leaf) for item in node.items) and not any(
            isinstance(item, dict | list) for item in given
        )
        if ours != theirs and is_flat:
            self._add(path, "different", node, given)
            return
        for at, (item, value) in enumerate(zip(node.items, given, strict=False)):
            self.compare((*path, at), item, value)
        for at in range(theirs, ours):
            self.add_ours((*path, at), node.items[at])
        for at in range(ours, theirs):
            self.add_theirs((*path, at), given[at])

    def _compare_leaves(self, path: KeyPath, leaf: Leaf, given: Any) -> None:
        value = leaf.value
        if is_printed_as(value, given):
            return
        if isinstance(value, str) and is_ciphertext(value) and isinstance(given, str):
            self._found.not_compared[SEALED] += 1
            if given != MASK:
                self._found.sealed.append(given)
        elif is_masked(value, given):
            self._found.not_compared[MASKED] += 1
        else:
            self._add(path, "different", leaf, given)

    def _add(self, path: KeyPath, kind: DumpDifferenceKind, ours: Node | None, theirs: Any) -> None:
        here = 0 if ours is None else _count_leaves(ours)
        there = 0 if kind == "only here" else _count_values(theirs)
        weight = max(here, there)
        self._found.differences.append(DumpDifference(path, kind, ours, theirs, weight))


def canonical(data: Any) -> str:
    """Return printed data as text that is equal for equal data."""
    return json.dumps(data, sort_keys=True)


def _count_leaves(node: Node) -> int:
    if isinstance(node, Leaf) or not node.items:
        return 1
    below = node.items.values() if isinstance(node, MapNode) else node.items
    return sum(map(_count_leaves, below))


def _count_values(data: Any) -> int:
    if not data or not isinstance(data, dict | list):
        return 1
    return sum(map(_count_values, data.values() if isinstance(data, dict) else data))
