"""Reads of one computation that found nothing, and whether each had a default.

This follows from the answers to its questions, and so is no question itself.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from pillarbook.compile.reads import View

Place = tuple[str, tuple[Any, ...]]
"""The name of a view, and a path in it."""
Misses = Mapping[Place, bool]
"""Reads that found nothing, and whether each had a default."""


def join_misses(first: Misses, second: Misses) -> Misses:
    """Return the reads of two parts of one computation that found nothing."""
    if not (first and second):
        return first or second
    return {
        place: first.get(place, True) and second.get(place, True) for place in {**first, **second}
    }


class MissLog:
    """The reads of one computation that found nothing.

    Args:
        before: Those of what came before it, whose results it may replace by defaults.
    """

    def __init__(self, before: "MissLog | None" = None) -> None:
        self._before = before
        self._bare: dict[Place, int] = {}
        self._excused: dict[int, object] = {}

    @property
    def found(self) -> Misses:
        """The reads that found nothing, and whether each had a default."""
        return {place: not bare for place, bare in self._bare.items()}

    def add(self, name: str, path: tuple[Any, ...], *, bare: bool) -> None:
        """Note a read that found nothing; a bare one has no default."""
        self._bare[name, path] = self._bare.get((name, path), 0) + bare

    def excuse(self, name: str, path: tuple[Any, ...], result: object) -> None:
        """Note that the result of such a read is replaced by a default, or only looked at.

        Each result, which stands in for the missing value, counts once.
        """
        if id(result) in self._excused:
            return
        if self._bare.get((name, path)):
            self._excused[id(result)] = result
            self._bare[name, path] -= 1
        elif self._before is not None:
            self._before.excuse(name, path, result)

    def take_back(self, name: str, path: tuple[Any, ...]) -> None:
        """Take back the latest note of a read without a default; another read replaces it."""
        if self._bare.get((name, path), 0) <= 1:
            self._bare.pop((name, path), None)
        else:
            self._bare[name, path] -= 1


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
    trace.misses.add(name, asked, bare=False)


def note_bare_miss(view: Any, keys: Iterable[Any]) -> None:
    """Note that a read of a path, which found nothing, had no default after all."""
    if isinstance(view, View):
        path = (*view._pb_path, *keys)  # noqa: SLF001 (as above)
        view._pb_trace.misses.add(view._pb_name, path, bare=True)  # noqa: SLF001 (as above)
