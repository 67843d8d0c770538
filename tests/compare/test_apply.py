"""Applying changes; that it undoes a comparison is a law of its own."""

from typing import Any

import pytest
from tests.support.apply_changes import apply_changes

from pillarbook.compare.change import Change


def test_order_of_changes_does_not_matter() -> None:
    changes = [
        Change(path=("m", "k"), kind="changed", before=1, after=2),
        Change(path=("c",), kind="added", after=3, behind=("b",)),
        Change(path=("b",), kind="added", after={"x": 2}, behind=()),
        Change(path=(), kind="reordered", before=("a", "m"), after=("m", "a")),
        Change(path=("z",), kind="removed", before=0),
    ]
    data = {"a": 1, "z": 0, "m": {"k": 1}}
    made = apply_changes(data, changes)
    assert list(made.items()) == [("b", {"x": 2}), ("c", 3), ("m", {"k": 2}), ("a", 1)]
    assert data == {"a": 1, "z": 0, "m": {"k": 1}}


def test_what_is_put_in_is_a_copy() -> None:
    after: dict[str, Any] = {"x": [1]}
    made = apply_changes({}, [Change(path=("a",), kind="added", after=after, behind=())])
    made["a"]["x"].append(2)
    assert after == {"x": [1]}


MISFITS = {
    "no such key": Change(path=("b",), kind="removed", before=1),
    "no such container": Change(path=("b", "c"), kind="removed", before=1),
    "no such neighbour": Change(path=("b",), kind="added", after=1, behind=("x",)),
    "no such changed key": Change(path=("b",), kind="changed", before=1, after=2),
    "no such member": Change(
        path=("l", 3), kind="changed", before=1, after=2, positions=frozenset({1})
    ),
    "no such removed member": Change(
        path=("l", 3), kind="removed", before=1, positions=frozenset({1})
    ),
    "no such place": Change(path=("l", 3), kind="added", after=1, positions=frozenset({1})),
}


@pytest.mark.parametrize("change", MISFITS.values(), ids=MISFITS)
def test_changes_of_other_data_are_refused(change: Change) -> None:
    with pytest.raises((KeyError, IndexError)):
        apply_changes({"a": 1, "l": [1]}, [change])
