"""Copies of what templates see, for code that goes round the methods of a mapping."""

import json
from collections import OrderedDict
from typing import Any

import pytest
from markupsafe import Markup

from pillarbook.compile.reads import Trace, View
from pillarbook.compile.renderers.jinja.ordered_set import OrderedSet
from pillarbook.compile.renderers.jinja.plain_data import decode, to_plain


@pytest.mark.parametrize(
    "value",
    [
        {"b": 1, "a": [{"x": (1, {"y": None})}]},
        [],
        "text",
        5,
        OrderedDict([("z", {"a": 1})]),
    ],
    ids=str,
)
def test_a_view_becomes_what_it_shows(value: Any) -> None:
    plain = to_plain(View("grains", {"v": value}, Trace()))["v"]
    assert plain == value
    assert json.dumps(plain) == json.dumps(value)


def test_an_ordered_dict_stays_one_and_markup_stays_markup() -> None:
    plain = to_plain({"o": OrderedDict(a=1), "m": Markup("<b>"), "s": {1}})
    assert [type(item) for item in plain.values()] == [OrderedDict, Markup, set]


def test_a_copy_shares_nothing_with_the_original_and_the_same_with_itself() -> None:
    shared = [1]
    original = {"a": shared, "b": shared, "c": [1]}
    copied = to_plain(original)
    copied["a"].append(2)
    assert copied == {"a": [1, 2], "b": [1, 2], "c": [1]}
    assert original == {"a": [1], "b": [1], "c": [1]}


def test_a_mapping_that_holds_itself_is_copied_once() -> None:
    loop: dict[str, Any] = {}
    loop["self"] = loop
    copied = to_plain(loop)
    assert copied["self"] is copied


@pytest.mark.parametrize(
    ("loaded", "decoded"),
    [
        ({b"k": b"v"}, {"k": "v"}),
        ([(1, b"x")], [[1, "x"]]),
        ({"b", "a"}, OrderedSet("ab")),
        (None, None),
    ],
)
def test_decodes_bytes_and_tuples(loaded: Any, decoded: Any) -> None:
    assert decode(loaded) == decoded
    assert repr(decode(loaded)) == repr(decoded)


def test_an_ordered_set_keeps_its_order() -> None:
    letters = OrderedSet("zebra")
    letters.add("z")
    letters.update("qa", "e")
    letters.discard("nope")
    letters.remove("b")
    assert (list(letters), repr(letters), len(letters)) == (list("zeraq"), str(letters), 5)
    assert repr(letters) == "{'z', 'e', 'r', 'a', 'q'}"
    assert letters.pop() == "z"
    assert letters == {"e", "r", "a", "q"}
    letters.clear()
    assert (repr(letters), list(letters)) == ("set()", [])


@pytest.mark.parametrize(
    ("made", "members"),
    [
        (OrderedSet("dab") | OrderedSet("cb"), "dabc"),
        (OrderedSet("dab") & {"b", "d"}, "db"),
        (OrderedSet("dab") - {"a"}, "db"),
        (OrderedSet("dab") ^ OrderedSet("cb"), "dac"),
        (OrderedSet("dab").copy(), "dab"),
    ],
)
def test_what_two_ordered_sets_make_has_the_left_ones_order(made: Any, members: str) -> None:
    assert isinstance(made, OrderedSet)
    assert list(made) == list(members)


def test_an_empty_ordered_set_has_nothing_to_pop() -> None:
    with pytest.raises(KeyError):
        OrderedSet().pop()
