"""Merges two pillars by the strategy of the compile.

Source: Salt ``salt/utils/dictupdate.py`` (``merge``).
"""

from functools import partial, reduce
from typing import overload

from pillarbook.compile.memo import RepeatCache
from pillarbook.compile.merge.aggregation import Aggregation, mark
from pillarbook.compile.merge.aliased_update import AliasedUpdate
from pillarbook.compile.merge.dictupdate import (
    NOT_MAPPINGS,
    MergeError,
    MergeRules,
    RecursiveUpdate,
    SubMerges,
    merge_list,
    merge_overwrite,
    overwrite_present,
    recall_merge,
)
from pillarbook.compile.merge.freeze import freeze, without_aliases
from pillarbook.compile.merge.unknown_update import is_open, update_open
from pillarbook.model import MapNode, Node

MAX_STEPS = 50
"""The most trees that are merged one by one with each intermediate result cached."""


class Merger:
    """Merges trees and caches the results.

    A cache belongs to one set of rules. Results of ``recurse`` are cached at every depth in the
    given memo. Other strategies merge the root by other rules than the nodes below, so the given
    memo has the roots, and a memo of the merger has the nodes below.
    """

    def __init__(self, rules: MergeRules, memo: SubMerges | None) -> None:
        self._rules = rules
        self._memo = memo
        self._recurses = rules.strategy not in ("aggregate", "list", "overwrite")
        # "none", and names that Salt does not know, forget pillar_merge_lists.
        merge_lists = rules.merge_lists and rules.strategy == "recurse"
        self._update = RecursiveUpdate(merge_lists=merge_lists, memo=memo)
        self._aliased = AliasedUpdate(self._update, merge_lists=merge_lists)
        # A separate memo, since the same two nodes merge differently at the root and below it.
        self._below: SubMerges | None = None if memo is None or self._recurses else RepeatCache()
        self._aggregation = Aggregation(self._below)

    @property
    def overwrites(self) -> bool:
        """Whether a merge changes the base itself (``overwritten_base``)."""
        return self._rules.strategy == "overwrite"

    @overload
    def merge(self, base: MapNode, update: MapNode) -> MapNode: ...
    @overload
    def merge(self, base: Node, update: Node) -> Node: ...
    def merge(self, base: Node, update: Node) -> Node:
        """Return the result of merging ``update`` over ``base``; both stay unchanged.

        It is a mapping; only ``aggregate`` accepts lists and scalars, and may return a list.

        Raises:
            MergeError: One of them is not a mapping, in Salt's words; or with aliases on both
                sides, an object comes to contain itself.
        """
        # Errors are not cached, because few minions have them.
        pair = base, update
        return recall_merge(self._memo, pair, partial(self._merge, *pair))

    @overload
    def merge_all(self, trees: tuple[MapNode, ...]) -> MapNode: ...
    @overload
    def merge_all(self, trees: tuple[Node, ...]) -> Node: ...
    def merge_all(self, trees: tuple[Node, ...]) -> Node:
        """Return the result of merging trees, each over all those before it.

        Raises:
            MergeError: One of them is not a mapping, or an object comes to contain itself.
        """
        if len(trees) < 3:
            return reduce(self.merge, trees)
        return recall_merge(self._memo, trees, partial(self._merge_all, trees))

    def _merge_all(self, trees: tuple[Node, ...]) -> Node:
        if self._recurses and all(isinstance(tree, MapNode) and not tree.shared for tree in trees):
            return self._update.combine_all(trees)
        # Each step copies the whole pillar, so many results would fill the memory.
        return reduce(self.merge if len(trees) <= MAX_STEPS else self._merge, trees)

    def overwritten_base(self, base: Node, update: Node) -> Node:
        """Return the base as it is after a merge over it.

        With ``overwrite``, Salt replaces the values in the base itself before it copies it. So an
        SLS that is stored for a later include is changed. Other strategies do not change the base.
        """
        if not self.overwrites:
            return base
        if not isinstance(base, MapNode) or not isinstance(update, MapNode):
            raise MergeError(NOT_MAPPINGS)
        return overwrite_present(without_aliases(base), without_aliases(update), self._below)

    def _merge(self, base: Node, update: Node) -> Node:
        strategy = self._rules.strategy
        if strategy == "aggregate":
            return self._aggregate(without_aliases(base), without_aliases(update))
        if strategy == "list":
            return merge_list(without_aliases(base), without_aliases(update), self._below)
        if not isinstance(base, MapNode) or not isinstance(update, MapNode):
            raise MergeError(NOT_MAPPINGS)
        if strategy == "overwrite":
            return merge_overwrite(without_aliases(base), without_aliases(update), self._below)
        if base.shared or update.shared:
            return self._aliased.merge(base, update)
        return self._update.update(base, (update,))

    def _aggregate(self, base: Node, update: Node) -> Node:
        if isinstance(base, MapNode) and isinstance(update, MapNode) and is_open(base, update):
            combine = self._aggregation.combine
            return update_open(base, update, lambda old, new: freeze(combine(old, new)))
        return freeze(self._aggregation.aggregate(mark(base), mark(update)))
