"""A cache with a limit is emptied when it is full, and takes the new entry."""

from pillarbook.model.limited_cache import LimitedCache


def test_a_full_cache_is_emptied() -> None:
    cache = LimitedCache[str, int](2)
    cache["a"], cache["b"] = 1, 2
    assert cache == {"a": 1, "b": 2}
    cache["c"] = 3
    assert cache == {"c": 3}
