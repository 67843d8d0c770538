"""How often the garbage collector runs follows from what it finds."""

import gc
from typing import Any

import pytest

from pillarbook.session.garbage_collector import (
    FEW_OBJECTS,
    FIRST_OBJECTS,
    MANY_OBJECTS,
    calm_collector,
)


def make(number: int, *, is_garbage: bool) -> list[Any]:
    kept: list[Any] = []
    for _ in range(number):
        one: list[Any] = []
        one.append(one)
        if not is_garbage:
            kept.append(one)
    return kept


@pytest.mark.parametrize(
    ("is_garbage", "then"), [(True, FEW_OBJECTS), (False, MANY_OBJECTS)], ids=["garbage", "kept"]
)
def test_it_waits_for_more_objects_where_they_are_kept(*, is_garbage: bool, then: int) -> None:
    with calm_collector():
        assert gc.get_threshold()[0] == FIRST_OBJECTS
        kept = make(2 * FIRST_OBJECTS, is_garbage=is_garbage)
        assert gc.get_threshold()[0] == then
        del kept


def test_it_is_as_before_in_the_end() -> None:
    before, called = gc.get_threshold(), list(gc.callbacks)
    with calm_collector(), calm_collector():
        assert gc.get_freeze_count()
    assert gc.get_threshold() == before
    assert gc.callbacks == called
    assert not gc.get_freeze_count()
