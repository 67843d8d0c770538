"""Copies of data that is read as a whole, which refuse changes."""

from collections.abc import Mapping
from typing import Any, NoReturn


class TemplateWrites(BaseException):
    """A template changed its input, so the minion must be compiled without recording.

    A signal and not an error: no template can catch it.
    """


def _refuse(*_args: object, **_kwargs: object) -> NoReturn:
    raise TemplateWrites


class WatchedList(list[Any]):
    """A copy of a list that is read as a whole; refuses changes."""

    __slots__ = ()
    append = extend = insert = remove = clear = sort = reverse = _refuse
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse

    def pop(self, index: Any = -1) -> Any:
        """Raise the error for a change, or the error for an empty list."""
        return [].pop(index) if not self else _refuse()

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Any]:
        return [unwatched(item) for item in self]

    def __reduce__(self) -> Any:
        return list, ([unwatched(item) for item in self],)


class WatchedDict(dict[Any, Any]):
    """A copy of a mapping that is read as a whole; refuses changes."""

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = update = clear = popitem = _refuse

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Return the value of a key; refuse to set a missing key."""
        return self[key] if key in self else _refuse(default)

    def pop(self, key: Any, *default: Any) -> Any:
        """Raise the error for a change, or the error for a missing key."""
        return {}.pop(key, *default) if key not in self else _refuse()

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[Any, Any]:
        return {key: unwatched(item) for key, item in self.items()}


def watched(value: Any) -> Any:
    """Return a copy of data that is read as a whole, which refuses changes."""
    if isinstance(value, Mapping):
        return WatchedDict((key, watched(item)) for key, item in value.items())
    if isinstance(value, list):
        return WatchedList(watched(item) for item in value)
    return value


def unwatched(value: Any) -> Any:
    """Return a plain copy of anything that a template got, and note all of it as read."""
    if isinstance(value, Mapping):
        return {key: unwatched(item) for key, item in value.items()}
    if isinstance(value, list):
        return [unwatched(item) for item in value]
    return value
