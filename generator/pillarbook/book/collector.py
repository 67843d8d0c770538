"""The garbage collector, told what a run is like."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG_OBJECTS = 1_000_000
"""Objects made between two runs of the garbage collector: nearly all of them are kept."""


@contextmanager
def calm_collector() -> Iterator[None]:
    """Let the garbage collector look at the many long-lived objects of a run less often.

    What is there at the beginning (the inventory, above all) is not looked at again.
    """
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
