"""A cache with a limit."""

from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class LimitedCache(dict[Key, Value]):
    """A mapping that is emptied when it is full, so that it protects memory.

    An entry that is lost is computed again, so the cache must never decide a result.

    Args:
        limit: The most entries.
    """

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit

    def __setitem__(self, key: Key, value: Value) -> None:
        # Emptied as a whole: to drop the oldest entry would cost a step for each use.
        if len(self) >= self._limit:
            self.clear()
        super().__setitem__(key, value)
