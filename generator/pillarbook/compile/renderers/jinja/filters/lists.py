"""Filters for lists.

Sets have the same order in every process here. A choice at random has a result only with a seed, as
it is the same in each process then.

Source: Salt ``salt/utils/jinja.py``, ``salt/utils/data.py``.
"""

import random
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from pillarbook.compile.renderers.jinja.filters.digests import sha512_digest
from pillarbook.compile.renderers.jinja.function_errors import UnseededFilterError
from pillarbook.compile.renderers.jinja.ordered_set import OrderedSet


def ensure_sequence_filter(value: Any) -> Any:
    """Return a scalar as a list of one, a container as it is."""
    return value if isinstance(value, list | tuple | set | dict) else [value]


def unique(values: Any) -> Any:
    """Return the values without duplicates; for text or a tuple, a set."""
    if isinstance(values, Hashable):
        return OrderedSet(values)  # type: ignore[arg-type]
    found: list[Any] = []
    for value in values:
        if value not in found:
            found.append(value)
    return found


def lst_min(values: Any) -> Any:
    """Return the least value."""
    return min(values)


def lst_max(values: Any) -> Any:
    """Return the greatest value."""
    return max(values)


def lst_avg(values: Any) -> float:
    """Return the mean of a list; of a number the number itself."""
    mean: Any = values if isinstance(values, Hashable) else sum(values) / len(values)
    return float(mean)


def _as_sets(first: Any, second: Any) -> tuple[OrderedSet, OrderedSet] | None:
    if isinstance(first, Hashable) and isinstance(second, Hashable):
        return OrderedSet(first), OrderedSet(second)  # type: ignore[arg-type]
    return None


def union(lst1: Any, lst2: Any) -> Any:
    """Return the values of both, each once."""
    sets = _as_sets(lst1, lst2)
    return sets[0] | sets[1] if sets else unique(lst1 + lst2)


def intersect(lst1: Any, lst2: Any) -> Any:
    """Return the values that are in both."""
    sets = _as_sets(lst1, lst2)
    return sets[0] & sets[1] if sets else unique([item for item in lst1 if item in lst2])


def difference(lst1: Any, lst2: Any) -> Any:
    """Return the values of the first that the second lacks."""
    sets = _as_sets(lst1, lst2)
    return sets[0] - sets[1] if sets else unique([item for item in lst1 if item not in lst2])


def symmetric_difference(lst1: Any, lst2: Any) -> Any:
    """Return the values that are in just one of them."""
    sets = _as_sets(lst1, lst2)
    if sets:
        return sets[0] ^ sets[1]
    shared = intersect(lst1, lst2)
    return [item for item in union(lst1, lst2) if item not in shared]


def flatten(values: Any, levels: Any = None, preserve_nulls: Any = False) -> list[Any]:
    """Return the values of a list and of the lists in it; mappings give their keys.

    Without ``levels``, all the way. Unless ``preserve_nulls``, None and the texts ``None`` and
    ``null`` are left out.
    """
    return _flatten(values, levels, bool(preserve_nulls), {})


def _flatten(values: Any, levels: Any, keep_nulls: bool, seen: dict[int, Any]) -> list[Any]:
    if id(values) in seen:
        raise RecursionError("Reference cycle detected. Check input list.")
    seen[id(values)] = values
    flat: list[Any] = []
    for value in values:
        if not keep_nulls and value in (None, "None", "null"):
            continue
        if not is_iter(value) or (levels is not None and levels < 1):
            flat.append(value)
        else:
            deeper = None if levels is None else int(levels) - 1
            flat.extend(_flatten(value, deeper, keep_nulls, seen))
    return flat


def compare_lists(old: Any = None, new: Any = None) -> dict[str, list[Any]]:
    """Return what only the new one has under ``new``, what only the old one has under ``old``."""
    only = {
        "new": [item for item in new if item not in old],
        "old": [item for item in old if item not in new],
    }
    return {side: items for side, items in only.items() if items}


def exactly_n(values: Iterable[Any], amount: int = 1) -> bool:
    """Say whether just so many of the values are true."""
    return sum(map(bool, values)) == len(range(amount))


def exactly_one(values: Iterable[Any]) -> bool:
    """Say whether just one of the values is true."""
    return exactly_n(values)


def substr_in_list(string_to_search_for: Any, list_to_search: Iterable[Any]) -> bool:
    """Say whether a text is part of any of the texts in a list."""
    return any(string_to_search_for in value for value in list_to_search)


def is_list(value: Any) -> bool:
    """Say whether a value is a list."""
    return isinstance(value, list)


def is_iter(value: Any, ignore: Any = (str,)) -> bool:
    """Say whether a value has members; text does not count."""
    if ignore and isinstance(value, ignore):
        return False
    try:
        iter(value)
    except TypeError:
        return False
    return True


def sorted_ignorecase(values: Iterable[Any]) -> list[Any]:
    """Return texts sorted, capitals like small letters."""
    return sorted(values, key=lambda value: value.lower())


def sample(value: Any, size: Any, seed: Any = None) -> list[Any]:
    """Return some members, picked with a seed."""
    if seed is None:
        raise UnseededFilterError("random_sample")
    chosen: list[Any] = random.Random(sha512_digest(seed)).sample(value, size)  # noqa: S311
    return chosen


def shuffle(value: Any, seed: Any = None) -> list[Any]:
    """Return all members, in an order that depends on a seed."""
    if seed is None:
        raise UnseededFilterError("random_shuffle")
    return sample(value, len(value), seed)


FILTERS: dict[str, Callable[..., Any]] = {
    "avg": lst_avg,
    "compare_lists": compare_lists,
    "difference": difference,
    "exactly_n_true": exactly_n,
    "exactly_one_true": exactly_one,
    "flatten": flatten,
    "intersect": intersect,
    "is_iter": is_iter,
    "is_list": is_list,
    "max": lst_max,
    "min": lst_min,
    "random_sample": sample,
    "random_shuffle": shuffle,
    "sequence": ensure_sequence_filter,
    "sorted_ignorecase": sorted_ignorecase,
    "substring_in_list": substr_in_list,
    "symmetric_difference": symmetric_difference,
    "union": union,
    "unique": unique,
}
