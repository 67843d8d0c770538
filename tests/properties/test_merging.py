"""Laws of merging, against what Salt documents, on Python's own objects."""

import copy
from functools import reduce
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.properties.strategies import (
    AggregateList,
    AggregateMap,
    describe,
    describe_tree,
    nodes,
    to_data,
    to_tree,
    trees,
)

from pillarbook.compile.merge import MergeError, Merger, MergeRules
from pillarbook.compile.merge.aliased_update import AliasedUpdate
from pillarbook.compile.merge.dictupdate import RecursiveUpdate
from pillarbook.compile.merge.freeze import freeze
from pillarbook.compile.merge.mutable_nodes import MapSlot, _thaw
from pillarbook.model import Leaf, ListNode, MapNode, Node, Origin, leaves

RULES = [
    pytest.param(
        MergeRules(strategy, merge_lists), id=f"{strategy}-{'lists' if merge_lists else ''}"
    )
    for strategy in ("recurse", "overwrite", "aggregate", "list", "none", "unheard-of")
    for merge_lists in (False, True)
]
ANY_TREE = st.one_of(
    trees(), trees(yamlex=True), trees(aliases=True), trees(aliases=True, yamlex=True)
)


def update_reference(base: Any, given: Any, *, merge_lists: bool) -> Any:
    """Merge key by key, in place."""
    for key in list(given):
        old, new = base.get(key), given[key]
        if isinstance(old, dict) and isinstance(new, dict):
            update_reference(old, new, merge_lists=merge_lists)
        elif merge_lists and isinstance(old, list) and isinstance(new, list):
            appended = copy.deepcopy(old)
            appended += [member for member in new if member not in appended]
            base[key] = appended
        else:
            base[key] = new
    return base


def recurse_reference(base: Any, given: Any, *, merge_lists: bool) -> Any:
    return update_reference(copy.deepcopy(base), given, merge_lists=merge_lists)


def overwrite_reference(base: Any, given: Any, *, merge_lists: bool) -> Any:
    for key in given:
        if key in base:
            base[key] = given[key]
    return recurse_reference(base, given, merge_lists=merge_lists)


def list_reference(base: Any, given: Any) -> Any:
    return {key: [base[key], given[key]] if key in given else base[key] for key in base}


def aggregate_reference(old: Any, new: Any) -> Any:
    if isinstance(old, dict) and isinstance(new, dict):
        tagged = isinstance(old, AggregateMap) and isinstance(new, AggregateMap)
        made = copy.copy(old) if tagged else copy.copy(new)
        for key in new:
            made[key] = aggregate_reference(old[key], new[key]) if key in old else new[key]
        return made
    if isinstance(old, AggregateList) and isinstance(new, AggregateList):
        return AggregateList([*old, *(member for member in new if member not in old)])
    return copy.copy(new)


def merge_reference(rules: MergeRules, base: Any, given: Any) -> Any:
    if rules.strategy == "overwrite":
        return overwrite_reference(base, given, merge_lists=rules.merge_lists)
    if rules.strategy == "list":
        return list_reference(base, given)
    if rules.strategy == "aggregate":
        return aggregate_reference(AggregateMap(base), AggregateMap(given))
    merge_lists = rules.merge_lists and rules.strategy == "recurse"
    return recurse_reference(base, given, merge_lists=merge_lists)


def has_end(rules: MergeRules, *given: MapNode) -> bool:
    """Say whether no object comes to contain itself, as aliases of several trees make possible."""
    merged = to_data(given[0])
    for update in given[1:]:
        try:
            merged = merge_reference(rules, merged, to_data(update))
        except RecursionError:
            return False
        if contains_itself(merged, ()):
            return False
    return True


def contains_itself(value: Any, above: tuple[int, ...]) -> bool:
    if not isinstance(value, dict | list):
        return False
    items = value.values() if isinstance(value, dict) else value
    within = (*above, id(value))
    return id(value) in above or any(contains_itself(item, within) for item in items)


@pytest.mark.parametrize("merge_lists", [False, True])
def test_what_comes_to_contain_itself_is_an_error(merge_lists: bool) -> None:
    twice: dict[str, Any] = {}
    inner: dict[str, Any] = {}
    base = to_tree({"a": twice, "b": twice})
    update = to_tree({"a": {"c": inner}, "b": {"c": {"a": inner}}}, "b.sls")
    rules = MergeRules("recurse", merge_lists)
    assert not has_end(rules, base, update)
    with pytest.raises(MergeError):
        Merger(rules, None).merge(base, update)


@pytest.mark.sample(6)
@pytest.mark.parametrize("rules", RULES)
@given(base=ANY_TREE, update=ANY_TREE)
def test_data_is_that_of_the_reference(rules: MergeRules, base: MapNode, update: MapNode) -> None:
    assume(has_end(rules, base, update))
    merged = Merger(rules, None).merge(base, update)
    expected = merge_reference(rules, to_data(base), to_data(update))
    # The others never change an object in place, so that they need no aliases.
    aliases = rules.strategy not in ("overwrite", "list", "aggregate")
    assert describe(to_data(merged), aliases=aliases) == describe(expected, aliases=aliases)


@pytest.mark.sample(6)
@pytest.mark.parametrize("rules", RULES)
@given(given=st.lists(ANY_TREE, max_size=4))
def test_chain_is_that_of_the_reference(rules: MergeRules, given: list[MapNode]) -> None:
    assume(has_end(rules, MapNode({}, ()), *given))
    merger = Merger(rules, {})
    merged = MapNode({}, ())
    expected = to_data(merged)
    for update in given:
        merged = merger.merge(merged, update)
        expected = merge_reference(rules, expected, to_data(update))
    assert describe(to_data(merged), aliases=False) == describe(expected, aliases=False)


@given(base=ANY_TREE, update=ANY_TREE)
def test_overwritten_base_is_what_the_base_became(base: MapNode, update: MapNode) -> None:
    rules = MergeRules("overwrite", merge_lists=False)
    became = to_data(base)
    merge_reference(rules, became, to_data(update))
    overwritten = Merger(rules, {}).overwritten_base(base, update)
    assert describe(to_data(overwritten), aliases=False) == describe(became, aliases=False)


@pytest.mark.sample(4)
@pytest.mark.parametrize("rules", RULES)
@given(base=ANY_TREE, update=ANY_TREE)
def test_inputs_stay_as_they_are(rules: MergeRules, base: MapNode, update: MapNode) -> None:
    assume(has_end(rules, base, update, update))
    before = describe_tree(base), describe_tree(update)
    merger = Merger(rules, {})
    merged = merger.merge(base, update)
    merger.merge(merged, update)
    merger.overwritten_base(merged, base)
    assert (describe_tree(base), describe_tree(update)) == before


@pytest.mark.sample(4)
@pytest.mark.parametrize("rules", [rules for rules in RULES if rules.id != "aggregate"])
@given(tree=ANY_TREE)
def test_merging_nothing_changes_no_data(rules: MergeRules, tree: MapNode) -> None:
    merged = Merger(rules, None).merge(tree, MapNode({}, ()))
    assert _keyed(to_data(merged)) == _keyed(to_data(tree))


def _keyed(value: Any) -> Any:
    """Return data without the types of its mappings."""
    if isinstance(value, dict):
        return [(type(key), key, _keyed(item)) for key, item in value.items()]
    if isinstance(value, list):
        return [_keyed(item) for item in value]
    return type(value), value


@pytest.mark.sample(4)
@pytest.mark.parametrize("rules", RULES)
@given(base=ANY_TREE, updates=st.lists(ANY_TREE, min_size=1, max_size=3))
def test_memo_changes_nothing(rules: MergeRules, base: MapNode, updates: list[MapNode]) -> None:
    assume(has_end(rules, base, *updates))
    without_recording, remembering = Merger(rules, None), Merger(rules, {})
    for _ in range(2):
        first: Node = base
        second: Node = base
        for update in updates:
            first = without_recording.merge(first, update)
            second = remembering.merge(second, update)
        assert describe_tree(first) == describe_tree(second)


@pytest.mark.sample(6)
@pytest.mark.parametrize("rules", RULES)
@given(given=st.lists(ANY_TREE, min_size=1, max_size=4), data=st.data())
def test_all_at_once_is_one_after_the_other(
    rules: MergeRules, given: list[MapNode], data: st.DataObject
) -> None:
    trees = tuple(data.draw(st.lists(st.sampled_from(given), min_size=1, max_size=5)))
    assume(has_end(rules, *trees))
    expected = describe_tree(reduce(Merger(rules, None).merge, trees))
    remembering = Merger(rules, {})
    assert describe_tree(Merger(rules, None).merge_all(trees)) == expected
    assert describe_tree(remembering.merge_all(trees)) == expected
    assert remembering.merge_all(trees) is remembering.merge_all(trees)


@given(base=ANY_TREE, updates=st.lists(ANY_TREE, min_size=1, max_size=3))
def test_memo_gives_the_same_tree(base: MapNode, updates: list[MapNode]) -> None:
    rules = MergeRules("recurse", merge_lists=True)
    assume(has_end(rules, base, *updates))
    merger = Merger(rules, {})

    def merge_all() -> Node:
        merged = base
        for update in updates:
            merged = merger.merge(merged, update)
        return merged

    assert merge_all() is merge_all()


@pytest.mark.parametrize("merge_lists", [False, True])
@given(base=trees(yamlex=True), update=trees(yamlex=True, file="b.sls"))
def test_boxes_say_what_nodes_say(merge_lists: bool, base: MapNode, update: MapNode) -> None:
    recursive = RecursiveUpdate(merge_lists=merge_lists, memo=None)
    boxed = [_thaw(tree, {}, movable=True, below_alias=True) for tree in (base, update)]
    old, new = (content for content in boxed if isinstance(content, MapSlot))
    slow = freeze(AliasedUpdate(recursive, merge_lists=merge_lists)._merge_maps(old, new))
    fast = recursive.update(base, (update,))
    assert describe_tree(_without_aliases(slow)) == describe_tree(_without_aliases(fast))


def _without_aliases(node: Node) -> Node:
    if isinstance(node, Leaf):
        return node
    if isinstance(node, MapNode):
        items = {key: _without_aliases(item) for key, item in node.items.items()}
        return MapNode(items, node.origins, node.overrode, node.kind)
    listed = tuple(_without_aliases(item) for item in node.items)
    return ListNode(listed, node.origins, node.overrode, node.kind)


@pytest.mark.parametrize("merge_lists", [False, True])
@given(base=ANY_TREE, update=ANY_TREE)
def test_recurse_loses_no_origin(merge_lists: bool, base: MapNode, update: MapNode) -> None:
    rules = MergeRules("recurse", merge_lists)
    assume(has_end(rules, base, update))
    merged = Merger(rules, None).merge(base, update)
    kept = {_place(origin) for node in nodes(merged) for origin in node.origins}
    kept |= {
        _place(origin)
        for node in nodes(merged)
        if not isinstance(node, Leaf)
        for origin in node.overrode
    }
    for tree in (base, update):
        for path, _, origins in leaves(tree):
            assert {_place(origin) for origin in origins} <= kept, path


def _place(origin: Origin) -> tuple[object, ...]:
    """Return what tells an origin apart, wherever it lay before its container gave way."""
    return origin.file, origin.line, origin.sls, origin.saltenv, repr(origin.value)


@pytest.mark.sample(4)
@pytest.mark.parametrize("rules", RULES)
@given(base=ANY_TREE, update=ANY_TREE)
def test_last_origin_holds_the_value(rules: MergeRules, base: MapNode, update: MapNode) -> None:
    assume(has_end(rules, base, update))
    merged = Merger(rules, None).merge(base, update)
    for path, node, origins in leaves(merged):
        if isinstance(node, Leaf):
            given_value = origins[-1].value
            assert (type(given_value), given_value) == (type(node.value), node.value), path
        elif path:
            assert isinstance(origins[-1].value, dict) == isinstance(node, MapNode), path
            assert not origins[-1].value, path


@pytest.mark.parametrize("rules", RULES)
@given(base=trees(), update=trees(file="b.sls"))
def test_what_only_one_side_has_is_shared(
    rules: MergeRules, base: MapNode, update: MapNode
) -> None:
    merged = Merger(rules, None).merge(base, update)
    for key, item in merged.items.items():
        if key not in update.items:
            assert item is base.items[key]
        elif key not in base.items:
            assert item is update.items[key]
