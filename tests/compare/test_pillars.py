"""The comparer over a fleet: what is kept, and for how long."""

import time
from dataclasses import replace
from typing import Any

import pytest
from tests.compare.pillars import BASE_FILE, as_pillar, describe_change
from tests.support.apply_changes import apply_changes

from pillarbook.compare.pillars import Comparer
from pillarbook.redact import RedactedLeaf, RedactedOrigin, RedactedPillar


def test_minions_that_share_their_values_share_changes() -> None:
    base, head = as_pillar({"a": {"x": 1}, "b": 1}, BASE_FILE), as_pillar({"a": {"x": 2}, "c": 1})
    comparer = Comparer()
    first = comparer.compare(base, head)
    again = comparer.compare(replace(base, minion="m2"), replace(head, minion="m2"))
    assert [change.kind for change in first] == ["removed", "added", "changed"]
    assert again is first


def test_what_is_shared_below_one_key_is_compared_once() -> None:
    base, head = as_pillar({"a": {"x": 1}, "n": 1}), as_pillar({"a": {"x": 2}, "n": 1})
    comparer = Comparer()
    (shared,) = comparer.compare(base, head)
    own = RedactedLeaf(("n",), 3, ())
    third = replace(head, data=head.data | {"n": 3}, leaves=(head.leaves[0], own))
    changes = comparer.compare(base, third)
    assert [change.path for change in changes] == [("n",), ("a", "x")]
    assert changes[1] is shared


def test_a_key_added_elsewhere_is_another_change() -> None:
    head = as_pillar({"a": 1, "b": 2, "new": 3})
    kept = dict(zip(("a", "b", "new"), head.leaves, strict=True))
    other = replace(
        head, data={"a": 1, "new": 3, "b": 2}, leaves=(kept["a"], kept["new"], kept["b"])
    )
    comparer = Comparer()
    base = as_pillar({"a": 1, "b": 2})
    assert [change.behind for change in comparer.compare(base, head)] == [("b",)]
    assert [change.behind for change in comparer.compare(base, other)] == [("a",)]


def test_equal_data_of_other_origin_has_its_own_origins() -> None:
    base, head = as_pillar({"a": 1}), as_pillar({"a": 2})
    moved = replace(
        head,
        leaves=(replace(head.leaves[0], origins=(RedactedOrigin("b.sls", 9, "b", "base", 2),)),),
    )
    comparer = Comparer()
    lines = [
        change.after_origin and change.after_origin.line
        for pillar in (head, moved)
        for change in comparer.compare(base, pillar)
    ]
    assert lines == [1, 9]


def test_a_list_is_told_from_a_mapping_with_the_same_leaves() -> None:
    base, other = as_pillar({"a": {"b": 1}}), as_pillar({"a": ["x"]})
    as_map = replace(other, data={"a": {0: "x"}})
    comparer = Comparer()
    for head in (other, as_map, other):
        changes = comparer.compare(base, head)
        assert apply_changes(base.data, changes) == head.data


def test_data_made_anew_around_shared_leaves_is_compared_once() -> None:
    base, head = as_pillar({"a": {"x": [1]}, "g": 1}), as_pillar({"a": {"x": [2]}, "n": [1]})
    anew = replace(head, data={"a": {"x": [2]}, "n": [1]})
    comparer = Comparer()
    assert comparer.compare(base, anew) is comparer.compare(base, head)


def test_little_is_kept_and_results_are_the_same() -> None:
    def pair(number: int) -> tuple[RedactedPillar, RedactedPillar]:
        base: dict[str, Any] = {"a": {"x": number % 3}, "gone": number, "l": [1, 2, number % 5]}
        return as_pillar(base), as_pillar({"l": [2, number % 5, 1], "a": {"x": number % 2}, "n": 0})

    pairs = [pair(number) for number in range(60)]
    small = Comparer(most_kept=10)
    for base, head in [*pairs, *pairs]:
        found = [describe_change(change) for change in small.compare(base, head)]
        assert found == [describe_change(change) for change in Comparer().compare(base, head)]
    assert len(small._parts) < 20
    assert len(small._whole) < 20


def test_long_lists_take_no_time() -> None:
    ours = [{"name": f"n{at}", "ports": [at, at + 1], "on": True} for at in range(5_000)]
    theirs = [dict(member) for member in ours]
    del theirs[100:150]
    theirs[4_000]["on"] = False
    theirs.insert(10, {"name": "new"})
    theirs.append(theirs.pop(2_000))
    base, head = as_pillar({"l": ours}), as_pillar({"l": theirs})
    began = time.process_time()
    changes = Comparer().compare(base, head)
    assert time.process_time() - began < 3
    assert len(changes) == 50 + 1 + 1 + 1
    assert apply_changes(base.data, changes) == head.data


@pytest.mark.slow
def test_long_lists_whose_members_all_changed_take_no_time() -> None:
    ours = [{"name": f"n{at}", "v": 1} for at in range(5_000)]
    theirs = [{"name": "new", "v": 2}, *({"name": f"n{at}", "v": 2} for at in range(5_000))]
    base, head = as_pillar({"l": ours}), as_pillar({"l": theirs})
    began = time.process_time()
    changes = Comparer().compare(base, head)
    assert time.process_time() - began < 3
    assert {change.kind for change in changes[1:]} == {"changed"}
    assert len(changes) == 5_001


def test_mappings_of_many_keys_take_no_time() -> None:
    base = as_pillar({"m": {f"k{at}": at for at in range(5_000)}})
    head = as_pillar({"m": {f"{'k' if at % 2 else 'n'}{at}": at for at in range(5_000)}})
    began = time.process_time()
    changes = Comparer().compare(base, head)
    assert apply_changes(base.data, changes) == head.data
    assert time.process_time() - began < 3
