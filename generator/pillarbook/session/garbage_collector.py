"""Settings of the garbage collector that suit a run."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

FIRST_OBJECTS = 100_000
"""Objects made before the garbage collector runs first, and sees what share of them is garbage."""
FEW_OBJECTS = 1_000_000
"""Objects made between two runs of it, where much is garbage."""
MANY_OBJECTS = 3_000_000
"""Objects made between two runs of it, where nearly all are kept and a run frees nothing."""
MUCH = 0.2
"""Which share of them is much garbage."""


@contextmanager
def calm_collector() -> Iterator[None]:
    """Let the garbage collector look at the many long-lived objects of a run less often.

    What is there at the beginning (the inventory, above all) is not looked at again.
    """
    before = gc.get_threshold()
    # What is frozen is not looked at again: nodes of a run stay, and the collector would go through
    # them over and over, to free next to nothing.
    gc.freeze()
    gc.set_threshold(FIRST_OBJECTS, 20, 100)
    gc.callbacks.append(_adapt)
    try:
        yield
    finally:
        gc.callbacks.remove(_adapt)
        # All that is young joins the oldest generation: else the next object that is made would
        # have the collector go through what a run made since it last ran, often as it ends.
        gc.freeze()
        gc.set_threshold(*before)
        gc.unfreeze()


def _adapt(phase: str, found: dict[str, Any]) -> None:
    """Choose when the garbage collector runs next, by what it has just found."""
    if phase == "stop" and found["generation"] == 0:
        objects, *older = gc.get_threshold()
        is_much = found["collected"] > MUCH * objects
        gc.set_threshold(FEW_OBJECTS if is_much else MANY_OBJECTS, *older)
