"""A mapping whose content is elsewhere, so that its methods see each read of it."""

from collections.abc import Iterator
from typing import Any


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
