"""Settings of the garbage collector that suit a run."""

import gc
import sys
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
    """How many are open; a comparison has one within another."""
    limit: int = 0
    """Blocks of memory at which the next run begins with a collection; 0 before the first run."""


_runs = _Runs()


@contextmanager
def calm_collector() -> Iterator[None]:
    """Make garbage collections rare, because a run has many long-lived objects.

    Objects that exist at the beginning (mainly the inventory) are never checked again.
    """
    if not _runs.open:
        collect_garbage()
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


def collect_garbage() -> None:
    """Free what the runs before left, if the memory in use has doubled since the last time.

    A command ends without a last collection, but ``serve`` and Python code open one run after
    another. A collection for each of them would take longer than a small run itself. It takes
    seconds after the build of a large site, so ``serve`` calls this while nobody waits.
    """
    blocks = sys.getallocatedblocks()
    if _runs.limit and blocks < _runs.limit:
        return
    if _runs.limit:
        gc.collect()
        blocks = sys.getallocatedblocks()
    _runs.limit = 2 * blocks + FEW_OBJECTS


def _adapt(phase: str, found: dict[str, Any]) -> None:
    """Choose the time of the next collection by the result of the last one."""
    if phase == "stop" and found["generation"] == 0:
        objects, *older = gc.get_threshold()
        is_much = found["collected"] > MUCH * objects
        gc.set_threshold(FEW_OBJECTS if is_much else MANY_OBJECTS, *older)
