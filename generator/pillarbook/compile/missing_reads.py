"""Notes of reads that found nothing, from callers that know how it is handled."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from pillarbook.compile.reads import View


def excuse_miss(view: Any, key: Any, result: object) -> None:
    """Note that the stand-in for a key that a view lacks is replaced, or only looked at.

    Nothing is noted of what is no view.
    """
    if isinstance(view, View):
        trace, path = view._pb_trace, view._pb_path  # noqa: SLF001 (a view of this module)
        trace.misses.excuse(view._pb_name, (*path, key), result)  # noqa: SLF001 (likewise)


def take_back_miss(view: Any, key: Any) -> None:
    """Take back that a view lacks a key, because it is tried in another way."""
    if isinstance(view, View):
        path = (*view._pb_path, key)  # noqa: SLF001 (a view of this module)
        view._pb_trace.misses.take_back(view._pb_name, path)  # noqa: SLF001 (likewise)


def note_path_miss(view: Any, keys: Iterable[Any], ended: Any, key: Any) -> None:
    """Note that a read down a path with a default found nothing."""
    if not isinstance(view, View):
        return
    trace, name, path = view._pb_trace, view._pb_name, view._pb_path  # noqa: SLF001 (as above)
    asked = (*path, *keys)
    if isinstance(ended, View):
        trace.misses.take_back(name, (*ended._pb_path, key))  # noqa: SLF001 (as above)
    with suppress(TypeError):  # a list among the keys, which no mapping has
        trace.misses.add(name, asked, bare=False)


def note_bare_miss(view: Any, keys: Iterable[Any]) -> None:
    """Note that a read of a path, which found nothing, had no default after all."""
    if isinstance(view, View):
        path = (*view._pb_path, *keys)  # noqa: SLF001 (as above)
        with suppress(TypeError):  # as above
            view._pb_trace.misses.add(view._pb_name, path, bare=True)  # noqa: SLF001 (as above)
