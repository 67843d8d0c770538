"""Where two sides differ: the topmost places, by kind, and what cannot be compared."""

from typing import Any

import pytest

from pillarbook.compile.renderers.ciphertext import END
from pillarbook.model import MapNode, Origin, grow
from pillarbook.patterns.ciphertexts import BEGIN
from pillarbook.verify.dump_differences import (
    MASKED,
    MASTER_OPTIONS,
    SEALED,
    GivenPillar,
    PillarComparer,
)
from pillarbook.verify.printed_values import MASK

SECRET = f"{BEGIN}\nabc\n{END}\n"


def tree(data: dict[Any, Any]) -> MapNode:
    made = grow(data, lambda _path, value: Origin("a.sls", 1, "a", "base", value))
    assert isinstance(made, MapNode)
    return made


CASES: dict[str, tuple[dict[Any, Any], dict[str, Any], list[tuple[Any, ...]]]] = {
    "equal": ({"a": {"b": [1]}}, {"a": {"b": [1]}}, []),
    "key order": ({"a": {"b": 1, "c": 2}}, {"a": {"c": 2, "b": 1}}, []),
    "keys of other types": ({"a": {1: "x", None: "y"}}, {"a": {"1": "x", "null": "y"}}, []),
    "keys that collide": ({"a": {1: "x", "1": "y"}}, {"a": {"1": "y"}}, []),
    "set in another order": ({"a": {"b": {"p", "q"}}}, {"a": {"b": ["q", "p"]}}, []),
    "value": ({"a": {"b": 1}}, {"a": {"b": 2}}, [(("a", "b"), "different", 1)]),
    "type": ({"a": 1}, {"a": "1"}, [(("a",), "different", 1)]),
    "only here": ({"a": {"b": 1}}, {"a": {}}, [(("a", "b"), "only here", 1)]),
    "only there": ({}, {"a": {"b": 1, "c": 2}}, [(("a",), "only in the dump", 2)]),
    "mapping and text": ({"a": {"b": 1}}, {"a": "b"}, [(("a",), "different", 1)]),
    "list and mapping": ({"a": [1]}, {"a": {}}, [(("a",), "different", 1)]),
    "member": ({"a": [1, 2]}, {"a": [1, 3]}, [(("a", 1), "different", 1)]),
    "scalars, one more": ({"a": [1, 2]}, {"a": [0, 1, 2]}, [(("a",), "different", 3)]),
    "mappings, one more": (
        {"a": [{"b": 1}]},
        {"a": [{"b": 1}, {"b": 2}]},
        [(("a", 1), "only in the dump", 1)],
    ),
    "mappings, one less": (
        {"a": [{"b": 1}, {"b": 2}]},
        {"a": [{"b": 1}]},
        [(("a", 1), "only here", 1)],
    ),
    "number key": ({"a": {80: 1}}, {"a": {"80": 2}}, [(("a", 80), "different", 1)]),
    "empty and missing": ({"a": {}}, {}, [(("a",), "only here", 1)]),
}


@pytest.mark.parametrize(("ours", "theirs", "expected"), CASES.values(), ids=CASES)
def test_differences(
    ours: dict[Any, Any], theirs: dict[str, Any], expected: list[tuple[Any, ...]]
) -> None:
    found = PillarComparer().compare(tree(ours), GivenPillar(theirs))
    assert [(one.path, one.kind, one.weight) for one in found.differences] == expected
    assert not found.not_compared


UNCOMPARED: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, int], int]] = {
    "sealed": ({"a": SECRET, "b": [SECRET]}, {"a": "x", "b": ["y"]}, {SEALED: 2}, 0),
    "sealed and the same": ({"a": SECRET}, {"a": SECRET}, {}, 0),
    "sealed and no text": ({"a": SECRET}, {"a": {"b": "x"}}, {}, 1),
    "sealed and missing": ({"a": SECRET}, {}, {}, 1),
    "masked": ({"a": 1, "b": ["x", ""]}, {"a": MASK, "b": [MASK, ""]}, {MASKED: 2}, 0),
    "sealed and masked": ({"a": SECRET}, {"a": MASK}, {SEALED: 1}, 0),
    "mask in place of nothing": ({"a": ""}, {"a": MASK}, {}, 1),
    "mask on both sides": ({"a": MASK}, {"a": MASK}, {}, 0),
}


@pytest.mark.parametrize(
    ("ours", "theirs", "not_compared", "differ"), UNCOMPARED.values(), ids=UNCOMPARED
)
def test_what_is_not_compared_is_counted(
    ours: dict[str, Any], theirs: dict[str, Any], not_compared: dict[str, int], differ: int
) -> None:
    found = PillarComparer().compare(tree(ours), GivenPillar(theirs))
    assert dict(found.not_compared) == not_compared
    assert len(found.differences) == differ


ERRORS: dict[str, tuple[bool, dict[str, Any], dict[str, Any], list[str]]] = {
    "on both sides": (True, {"_errors": ["x"]}, {"_errors": ["y", "z"]}, []),
    "only here": (True, {"_errors": ["x"]}, {}, ["only here"]),
    "only there": (False, {}, {"_errors": ["x"]}, ["only in the dump"]),
    "a key of the user's": (False, {"_errors": ["x"]}, {"_errors": ["y"]}, ["different"]),
}


@pytest.mark.parametrize(("errors", "ours", "theirs", "kinds"), ERRORS.values(), ids=ERRORS)
def test_of_errors_the_presence_counts(
    errors: bool, ours: dict[str, Any], theirs: dict[str, Any], kinds: list[str]
) -> None:
    found = PillarComparer().compare(tree(ours), GivenPillar(theirs), errors=errors)
    assert [one.kind for one in found.differences] == kinds


def test_options_of_the_master_are_not_compared() -> None:
    ours, theirs = {"master": {"id": "x"}}, {"master": {"id": "y", "timeout": 5}}
    found = PillarComparer().compare(tree(ours), GivenPillar(theirs), options=True)
    assert not found.differences
    assert found.not_compared == {MASTER_OPTIONS: 1}
    assert PillarComparer().compare(tree(ours), GivenPillar(theirs)).differences
