"""The strategies ``recurse``, ``overwrite`` and ``list`` for trees without shared objects.

Source: Salt ``salt/utils/dictupdate.py``.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial, reduce
from itertools import groupby
from typing import Any, TypeAlias, cast

from pillarbook.compile.memo import RepeatCache
from pillarbook.compile.merge.append_lists import join
from pillarbook.compile.merge.replace import replace
from pillarbook.compile.merge.unknown_update import (
    append_unknown,
    is_open,
    replace_unknown,
    update_open,
    with_unknown_members,
)
from pillarbook.model import Leaf, ListNode, MapNode, Node, plain
from pillarbook.model.unknown import Unknown, unknown_of


@dataclass(frozen=True, slots=True)
class MergeRules:
    """How two pillars are merged; the same for a whole compile."""

    strategy: str
    """``recurse``, ``overwrite``, ``list``, ``aggregate`` or ``none``; any other recurses."""
    merge_lists: bool
    """``pillar_merge_lists``: append lists rather than replace them."""


class MergeError(Exception):
    """Data that Salt cannot merge, so that it stops the compile; the text is Salt's."""


def resolve_strategy(strategy: Any, renderer: str) -> str:
    """Return the name of a strategy, with ``smart`` resolved by the default renderer.

    ``renderer`` is the option, such as ``jinja|yaml``; ``strategy`` is falsy if not set.
    """
    if strategy and strategy != "smart":
        return str(strategy)
    if renderer.rpartition("|")[2] == "yamlex" or renderer.startswith("yamlex_"):
        return "aggregate"
    return "recurse"


SubMerges: TypeAlias = RepeatCache[tuple[Node, ...], Node] | dict[tuple[Node, ...], Node]
"""A cache of merged values by the tuple of values; the key keeps them alive."""


def recall_merge(
    memo: SubMerges | None, nodes: tuple[Node, ...], merge: Callable[[], Node]
) -> Node:
    """Return a merged value from a cache, if there is one; what is missing is merged and kept."""
    made = None if memo is None else memo.get(nodes)
    if made is None:
        made = merge()
        if memo is not None:
            memo[nodes] = made
    return made


NOT_MAPPINGS = "Cannot update using non-dict types in dictupdate.update()"


class RecursiveUpdate:
    """Merges key by key; two mappings of one key are merged as well (``update``)."""

    def __init__(self, *, merge_lists: bool, memo: SubMerges | None) -> None:
        self._merge_lists = merge_lists
        self._memo = memo

    def combine(self, old: Node, new: Node) -> Node:
        """Return the result of merging a new value over an old one; neither has aliases."""
        memo = self._memo
        if memo is None:
            return self._combine(old, new)
        pair = (old, new)
        made = memo.get(pair)
        if made is None:
            made = memo[pair] = self._combine(old, new)
        return made

    def _combine(self, old: Node, new: Node) -> Node:
        if isinstance(new, Leaf):
            if isinstance(old, Leaf) and old.value.__class__ is not Unknown:
                return Leaf(new.value, old.origins + new.origins, new.secret)
        elif isinstance(new, MapNode):
            if isinstance(old, MapNode):
                return self.update(old, (new,))
        elif isinstance(old, ListNode) and self._merge_lists:
            return append_unknown(old, new) or _append(old, new)
        if not unknown_of(old):
            return replace(old, new)
        merges = isinstance(new, MapNode) or (isinstance(new, ListNode) and self._merge_lists)
        return replace_unknown(old, new, merges=merges)

    def combine_all(self, nodes: tuple[Node, ...]) -> Node:
        """Return the result of merging values, each over all those before it.

        Intermediate results are not cached: a thousand SLS files with a common key would give a
        thousand mappings, each larger than the one before.
        """
        if len(nodes) == 2:
            return self.combine(*nodes)
        return recall_merge(self._memo, nodes, partial(self._combine_all, nodes))

    def _combine_all(self, nodes: tuple[Node, ...]) -> Node:
        made, *rest = nodes
        for kind, some in groupby(rest, type):
            alike = list(some)
            if kind is MapNode and not isinstance(made, MapNode):
                made = self._combine(made, alike.pop(0))
            if kind is MapNode and isinstance(made, MapNode):
                made = self.update(made, cast("list[MapNode]", alike))
            else:
                made = reduce(self._combine, alike, made)
        return made

    def update(self, base: MapNode, given: Iterable[MapNode]) -> MapNode:
        """Return the members of a mapping with those of others merged in, one after another."""
        given = tuple(given)
        if is_open(base, *given):
            return reduce(lambda one, other: update_open(one, other, self.combine), given, base)
        items = {**base.items}
        origins, overrode = [*base.origins], [*base.overrode]
        several: dict[Any, list[Node]] = {}
        for one in given:
            for key, new in one.items.items():
                old = items.get(key)
                if old is None:
                    items[key] = new
                elif key in several:
                    several[key].append(new)
                else:
                    several[key] = [old, new]
            origins += one.origins
            overrode += one.overrode
        for key, nodes in several.items():
            items[key] = self.combine_all(tuple(nodes))
        return MapNode(items, tuple(origins), tuple(overrode), base.kind)


def _append(base: ListNode, given: ListNode) -> ListNode:
    members = tuple(join(base.items, given.items))
    return ListNode(
        members, base.origins + given.origins, base.overrode + given.overrode, base.kind
    )


def overwrite_present(base: MapNode, given: MapNode, memo: SubMerges | None) -> MapNode:
    """Return a mapping in which each key that the other one also has is replaced as a whole.

    Salt does this to the object itself before it copies it (``merge_overwrite``).
    """
    if given.kind == "open":
        base = with_unknown_members(base, given)
    items = {**base.items}
    for key, new in given.items.items():
        old = items.get(key)
        if old is not None:
            items[key] = _replace_once(old, new, memo)
    return MapNode(items, base.origins, base.overrode, base.kind)


def merge_overwrite(base: MapNode, given: MapNode, memo: SubMerges | None) -> MapNode:
    """Return a mapping with the members of another one, each as a whole."""
    if is_open(base, given):
        return update_open(base, given, lambda old, new: _replace_once(old, new, memo))
    present = overwrite_present(base, given, memo)
    missing = {key: item for key, item in given.items.items() if key not in base.items}
    return MapNode(
        {**present.items, **missing},
        base.origins + given.origins,
        base.overrode + given.overrode,
        base.kind,
    )


def _replace_once(old: Node, new: Node, memo: SubMerges | None) -> Node:
    if unknown_of(old):
        return replace_unknown(old, new, merges=False)
    return recall_merge(memo, (old, new), lambda: replace(old, new))


def merge_list(base: Node, given: Node, memo: SubMerges | None) -> MapNode:
    """Return the keys of a mapping, with a pair of values if the other one also has the key.

    Raises:
        MergeError: The base is not a mapping, or the other one has no keys; in Python's words.
    """
    if not isinstance(base, MapNode):
        name = type(plain(base)).__name__
        raise MergeError(f"'{name}' object has no attribute 'items'")
    items: dict[Any, Node] = {}
    for key, old in base.items.items():
        new = given.items.get(key) if isinstance(given, MapNode) else _ask(given, key)
        items[key] = old
        if new is not None:
            pair = old, new
            items[key] = recall_merge(memo, pair, partial(ListNode, pair, new.origins))
    overrode = base.overrode + (() if isinstance(given, Leaf) else given.overrode)
    return MapNode(items, base.origins + given.origins, overrode, "plain")


def _ask(given: Leaf | ListNode, key: Any) -> Node | None:
    """Return the result of Python's lookup of a key in a value that is not a mapping."""
    data = plain(given)
    try:
        if key not in data:
            return None
        value = data[key]
    except (TypeError, LookupError) as error:
        raise MergeError(str(error)) from error
    return given.items[key] if isinstance(given, ListNode) else Leaf(value, given.origins)
