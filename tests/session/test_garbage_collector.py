"""How often the garbage collector runs follows from what it finds."""

import gc
import sys
import weakref
from typing import Any

import pytest

from pillarbook.session import garbage_collector
from pillarbook.session.garbage_collector import (
    FEW_OBJECTS,
    FIRST_OBJECTS,
    MANY_OBJECTS,
    calm_collector,
    collect_garbage,
)


def make(number: int, *, is_garbage: bool) -> list[Any]:
    kept: list[Any] = []
    for _ in range(number):
        one: list[Any] = []
        one.append(one)
        if not is_garbage:
            kept.append(one)
    return kept


@pytest.mark.slow
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


def test_it_does_not_look_at_young_objects_when_it_ends() -> None:
    kept: list[Any] = []
    seen: list[int] = []

    def note(phase: str, _found: dict[str, Any]) -> None:
        if phase == "start":
            seen.append(len(gc.get_objects(generation=0)))

    before = gc.get_threshold()
    gc.set_threshold(FIRST_OBJECTS // 10, 10, 10)  # whatever other tests have left
    gc.callbacks.append(note)
    try:
        with calm_collector():
            kept = make(FIRST_OBJECTS // 2, is_garbage=False)
            seen.clear()
        make(2 * gc.get_threshold()[0], is_garbage=False)
    finally:
        gc.callbacks.remove(note)
        gc.set_threshold(*before)
    assert kept
    assert seen
    assert max(seen) < len(kept)


class Node:
    def __init__(self) -> None:
        self.itself = self


@pytest.mark.slow
def test_a_run_collects_what_runs_before_it_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage_collector, "_runs", garbage_collector._Runs())
    blocks = [1_000_000]
    monkeypatch.setattr(sys, "getallocatedblocks", lambda: blocks[0])
    with calm_collector():
        node = Node()
        found = weakref.ref(node)
        del node
        blocks[0] = 5_000_000
        with calm_collector():  # the base of a comparison, within its run
            assert found() is not None
    blocks[0] = 2_900_000
    with calm_collector():
        assert found() is not None  # little has been added
    blocks[0] = 3_100_000
    with calm_collector():
        assert found() is None


def test_a_run_does_not_collect_what_was_collected_while_nobody_waited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(garbage_collector, "_runs", garbage_collector._Runs())
    blocks = [1_000_000]
    monkeypatch.setattr(sys, "getallocatedblocks", lambda: blocks[0])
    with calm_collector():
        left = weakref.ref(Node())
    blocks[0] = 3_100_000
    collect_garbage()
    assert left() is None
    blocks[0] = 3_200_000
    later = weakref.ref(Node())
    with calm_collector():
        assert later() is not None
