"""Settings of the garbage collector that suit a run."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

FIRST_OBJECTS = 100_000
"""The number of new objects before the first garbage collection, which measures the garbage."""
FEW_OBJECTS = 1_000_000
"""The number of new objects between two collections, if there is much garbage."""
MANY_OBJECTS = 3_000_000
"""The number of new objects between two collections, if there is nearly no garbage."""
MUCH = 0.2
"""The share of garbage that is much."""


@dataclass
class _Runs:
    """The runs in this process."""

    open: int = 0
    """How many are not at their end; a comparison has one within another."""
    is_garbage_left: bool = False
    """Whether one has ended, whose objects nobody has collected."""


_runs = _Runs()


@contextmanager
def calm_collector() -> Iterator[None]:
    """Make garbage collections rare, because a run has many long-lived objects.

    Objects that exist at the beginning (mainly the inventory) are never checked again.
    """
    # A command ends without a last collection, but ``serve`` and Python code run again and again in
    # one process, which would keep what each run has left.
    if _runs.is_garbage_left and not _runs.open:
        gc.collect()
        _runs.is_garbage_left = False
    _runs.open += 1
    before = gc.get_threshold()
    # Frozen objects are never checked again: nodes live as long as the run, and the collector would
    # check them many times in vain.
    gc.freeze()
    gc.set_threshold(FIRST_OBJECTS, 20, 100)
    gc.callbacks.append(_adapt)
    try:
        yield
    finally:
        gc.callbacks.remove(_adapt)
        # All young objects become old ones. Otherwise, the next new object would start a collection
        # of everything that the run made.
        gc.freeze()
        gc.set_threshold(*before)
        gc.unfreeze()
        _runs.open -= 1
        _runs.is_garbage_left = True


def _adapt(phase: str, found: dict[str, Any]) -> None:
    """Choose the time of the next collection by the result of the last one."""
    if phase == "stop" and found["generation"] == 0:
        objects, *older = gc.get_threshold()
        is_much = found["collected"] > MUCH * objects
        gc.set_threshold(FEW_OBJECTS if is_much else MANY_OBJECTS, *older)
