"""A set's order: Python's where hashes are fixed, that of insertion elsewhere."""

import os
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pillarbook.compile.reads import Trace, View
from pillarbook.compile.renderers.jinja.ordered_set import OrderedSet

numbers = st.one_of(
    st.integers(-5, 40),
    st.integers(),
    st.floats(allow_nan=False),
    st.booleans(),
    st.just(""),
)
members = st.one_of(numbers, st.tuples(numbers, numbers), st.frozensets(numbers, max_size=3))
SOURCES: list[Callable[[Any], Any]] = [
    list,
    tuple,
    set,
    frozenset,
    dict.fromkeys,
    OrderedDict.fromkeys,
]
CHANGES = ["add", "discard"]
OPERATORS = ["__or__", "__and__", "__sub__", "__xor__"]
OF_TWO = [
    "union",
    "intersection",
    "difference",
    "symmetric_difference",
    "update",
    "intersection_update",
    "difference_update",
    "symmetric_difference_update",
]


def shown(values: set[Any]) -> list[str]:
    return [repr(value) for value in values]


@given(
    st.sampled_from(SOURCES),
    st.lists(members, max_size=60),
    st.lists(
        st.tuples(
            st.sampled_from([*CHANGES, *OPERATORS, *OF_TWO, "pop", "copy", "anew"]),
            st.sampled_from(SOURCES),
            st.lists(members, max_size=60),
        ),
        max_size=6,
    ),
)
def test_numbers_come_in_pythons_order_whatever_is_done(
    source: Callable[[Any], Any], first: list[Any], steps: list[tuple[str, Any, list[Any]]]
) -> None:
    theirs: set[Any] = set(source(first))
    ours: set[Any] = OrderedSet(source(first))
    for name, other_source, other in steps:
        if name == "anew":
            theirs, ours = set(theirs), OrderedSet(ours)
        elif name == "pop":
            if theirs:
                assert repr(ours.pop()) == repr(theirs.pop())
        elif name in CHANGES:
            for member in other:
                getattr(theirs, name)(member)
                getattr(ours, name)(member)
        else:
            made, changed = _apply(theirs, name, set(other_source(other)), other_source(other))
            mine, too = _apply(ours, name, OrderedSet(other_source(other)), other_source(other))
            theirs, ours = made or changed, mine or too
        assert shown(ours) == shown(theirs)
        assert ours == theirs
        assert len(ours) == len(theirs)


def _apply(
    values: set[Any], name: str, other_set: set[Any], other: Any
) -> tuple[set[Any] | None, set[Any]]:
    if name == "copy":
        return values.copy(), values
    given = other_set if name in OPERATORS else other
    return getattr(values, name)(given), values


@pytest.mark.parametrize(
    ("made", "order"),
    [
        (OrderedSet(["b", 9, "a", 1]), ["b", 9, "a", 1]),
        (OrderedSet([9, 1]) | OrderedSet(["b", 1]), [9, 1, "b"]),
        (OrderedSet([9, "a", 1]) - OrderedSet(["a"]), [9, 1]),
        (OrderedSet([9, "a", 1]) & OrderedSet([1, 9, 17, 4]), [9, 1]),
        (OrderedSet([9, 1]) ^ OrderedSet(["a", 1]), [9, "a"]),
        (OrderedSet([None, 9, 1]), [None, 9, 1]),
        (OrderedSet([(1, "x"), (0, "y")]), [(1, "x"), (0, "y")]),
    ],
    ids=str,
)
def test_a_set_that_texts_had_a_part_in_keeps_the_order_of_insertion(
    made: OrderedSet, order: list[Any]
) -> None:
    assert list(made) == order


def test_of_members_that_are_equal_the_one_that_python_keeps_is_kept() -> None:
    assert shown(OrderedSet([1, 0]) & OrderedSet([False, True])) == ["False", "True"]
    assert shown(OrderedSet(["x", 1]) & OrderedSet(["x", True])) == ["'x'", "True"]


def test_a_views_keys_are_read() -> None:
    view = View("grains", {"v": {512: 1, 64: 2}}, Trace())["v"]
    assert list(OrderedSet(view)) == list(set(dict.fromkeys([512, 64])))


MIXED = """
from pillarbook.compile.renderers.jinja.ordered_set import OrderedSet
a, b = OrderedSet((9, "x", 1, None, "y")), OrderedSet({"p", "q", "r", 7})
b.update({"s", "t"})
print(a, b, a | b, a & b, a - b, b ^ a, OrderedSet(frozenset("uvw")), a.pop(), list(a))
"""


def test_no_order_hangs_on_the_seed_of_hashes() -> None:
    def run(seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", MIXED]
        return subprocess.run(
            command, env=environment, check=True, capture_output=True, text=True
        ).stdout

    assert run("1") == run("2") == run("3")
