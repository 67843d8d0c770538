"""Mappings that see each read of them, and copies of data that refuse changes."""

from collections.abc import Iterator, Mapping
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


class ReadMapping(dict[Any, Any]):
    """A mapping whose methods need only ``__getitem__`` and ``_pb_keys`` of a subclass.

    What a subclass adds begins with ``_pb_``, so that it hides no key.
    """

    __slots__ = ()

    def _pb_keys(self) -> list[Any]:
        """Return the keys; those of the own storage if a subclass has no others."""
        return [*super().__iter__()]

    def _pb_whole(self) -> dict[Any, Any]:
        """Return all of it as a mapping of its own."""
        return self.copy()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._pb_keys())

    def __reversed__(self) -> Iterator[Any]:
        return iter(self._pb_keys()[::-1])

    def __len__(self) -> int:
        return len(self._pb_keys())

    def keys(self) -> Any:
        """Return the keys."""
        return dict.fromkeys(self._pb_keys()).keys()

    def values(self) -> Any:
        """Return the values, each of them read."""
        return self.copy().values()

    def items(self) -> Any:
        """Return the pairs, each value read."""
        return self.copy().items()

    def copy(self) -> dict[Any, Any]:
        """Return a mutable mapping with the same values, each of them read."""
        return {key: self[key] for key in self._pb_keys()}

    def __copy__(self) -> dict[Any, Any]:
        return self.copy()

    def __reduce_ex__(self, protocol: Any) -> Any:
        return dict, (self._pb_whole(),)

    def __eq__(self, other: object) -> bool:
        return self._pb_whole() == (other._pb_whole() if isinstance(other, ReadMapping) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __repr__(self) -> str:
        return repr(self._pb_whole())

    __str__ = __repr__

    def __or__(self, other: Any) -> Any:
        return self.copy() | dict(other)

    def __ror__(self, other: Any) -> Any:
        return dict(other) | self.copy()
