"""Key paths: the keys that lead to a place in a pillar."""

from collections.abc import Hashable


class ListIndex(int):
    """A position in a list, where it must not be taken for a key that is a number."""

    __slots__ = ()


KeyPath = tuple[Hashable, ...]
"""Keys from the top; where the value above is a list, an integer is a position in it."""


def format_path(path: KeyPath, delimiter: str = ":") -> str:
    """Return a path as people write it: ``nginx:workers``, ``users:0:name``."""
    return delimiter.join(str(key) for key in path)


def parse_path(text: str, delimiter: str = ":") -> tuple[str, ...]:
    """Return the keys of ``text``; whether ``8080`` is a number is for the reader to find out."""
    return tuple(text.split(delimiter)) if text else ()
