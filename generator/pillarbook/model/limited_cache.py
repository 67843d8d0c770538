"""Caches with a limit, and how one is used."""

from collections.abc import Callable, MutableMapping
from typing import Any, Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")
_MISSING: Any = object()


class LimitedCache(dict[Key, Value]):
    """A mapping that is emptied when it is full, so that it protects memory.

    An entry that is lost is computed again, so the cache must never decide a result.
    """

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit

    def __setitem__(self, key: Key, value: Value) -> None:
        # Emptied as a whole: to drop the oldest entry would cost a step for each use.
        if len(self) >= self._limit:
            self.clear()
        super().__setitem__(key, value)


class RecentCache(Generic[Key, Value]):
    """A cache that drops what was not asked for lately.

    It keeps two generations. When the newer one is full, the older one is dropped, and what is
    asked for moves to the newer one. So what minions share stays, and what one minion alone has
    goes. An entry that is lost is computed again, so the cache must never decide a result.
    """

    __slots__ = ("_limit", "_new", "_old")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._new: dict[Key, Value] = {}
        self._old: dict[Key, Value] = {}

    def get(self, key: Key, default: Any = None) -> Any:
        """Return the value of a key."""
        if key in self._new:
            return self._new[key]
        if key in self._old:
            value = self[key] = self._old.pop(key)
            return value
        return default

    def __setitem__(self, key: Key, value: Value) -> None:
        """Keep the value of a key."""
        if len(self._new) >= self._limit:
            self._old, self._new = self._new, {}
        self._new[key] = value

    def __len__(self) -> int:
        return len(self._new) + len(self._old)

    def clear(self) -> None:
        """Drop all entries."""
        self._new, self._old = {}, {}


def recall(
    cache: MutableMapping[Key, Value] | RecentCache[Key, Value],
    key: Key,
    make: Callable[[], Value],
) -> Value:
    """Return the value of a key in a cache; what is missing is made and kept.

    Only for values that take longer to make than the call takes.
    """
    found = cache.get(key, _MISSING)
    if found is _MISSING:
        found = cache[key] = make()
    return found  # type: ignore[no-any-return]
