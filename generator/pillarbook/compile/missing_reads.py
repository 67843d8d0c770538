"""Notes reads that found nothing, for callers that know how the result is used."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from pillarbook.compile.reads import PillarCopy, View


def excuse_miss(view: Any, key: Any, result: object) -> None:
    """Note that the result for a key that a view lacks is replaced, or only tested.

    Does nothing if ``view`` is not a view.
    """
    if isinstance(view, View):
        trace, path = view._pb_trace, view._pb_path  # noqa: SLF001 (a view of this module)
        trace.misses.excuse(view._pb_name, (*path, key), result)  # noqa: SLF001 (likewise)


def take_back_miss(view: Any, key: Any) -> None:
    """Remove the note that a view lacks a key, because the key is tried in another way."""
    if isinstance(view, View):
        path = (*view._pb_path, key)  # noqa: SLF001 (a view of this module)
        view._pb_trace.misses.take_back(view._pb_name, path)  # noqa: SLF001 (likewise)


def note_path_miss(view: Any, keys: Iterable[Any], ended: Any, key: Any) -> None:
    """Note that a read of a path with a default found nothing."""
    if not isinstance(view, View):
        return
    trace, name, path = view._pb_trace, view._pb_name, view._pb_path  # noqa: SLF001 (as above)
    asked = (*path, *keys)
    if isinstance(ended, View):
        trace.misses.take_back(name, (*ended._pb_path, key))  # noqa: SLF001 (as above)
    with suppress(TypeError):  # a list among the keys, which is not hashable
        trace.misses.add(name, asked, bare=False)


def note_bare_miss(view: Any, keys: Iterable[Any]) -> None:
    """Note that a read of a path that found nothing had no default."""
    if isinstance(view, View):
        path = (*view._pb_path, *keys)  # noqa: SLF001 (as above)
        with suppress(TypeError):
            view._pb_trace.misses.add(view._pb_name, path, bare=True)  # noqa: SLF001 (as above)


def grains_path_of(value: Any) -> tuple[Any, ...] | None:
    """Return the path of a mapping in the grains; None if it is not a view of them."""
    if not isinstance(value, View):
        return None
    name, path = value._pb_name, value._pb_path  # noqa: SLF001 (as above)
    if name == "grains":
        return path
    return path[1:] if name in ("opts", "master_opts") and path[:1] == ("grains",) else None


def pillar_path_of(value: Any) -> tuple[Any, ...] | None:
    """Return the path of a mapping in the pillar; None if it is not from the pillar."""
    if value.__class__ is PillarCopy:
        return ()
    if not isinstance(value, View):
        return None
    name, path = value._pb_name, value._pb_path  # noqa: SLF001 (as above)
    if name == "pillar":
        return path
    return path[1:] if name == "opts" and path[:1] == ("pillar",) else None
