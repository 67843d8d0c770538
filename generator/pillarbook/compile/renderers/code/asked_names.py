"""Gives opened files and listed folders the names that code of the tree asked for."""

import io
import os
from collections.abc import Iterator
from typing import Any, Self


def name_as_asked(result: Any, asked: str | bytes) -> Any:
    """Return what a function of Python gave for a copy, with the path that the code knows."""
    if isinstance(result, io.IOBase):
        raw: Any = getattr(result, "buffer", result)
        getattr(raw, "raw", raw).name = asked
    elif isinstance(result, _SCANNED):
        return _Members(result, asked)
    return result


class _Member:
    """A member of a folder, as ``os.DirEntry``."""

    def __init__(self, member: os.DirEntry[Any], folder: str | bytes) -> None:
        self._member = member
        self.path: Any = os.path.join(folder, member.name)  # noqa: PTH118 (may be bytes)
        """Its path below the folder that was asked for."""

    def __fspath__(self) -> Any:
        return self.path

    def __getattr__(self, name: str) -> Any:
        return getattr(self._member, name)


class _Members:
    """The members of a folder, as ``os.scandir`` gives them."""

    def __init__(self, scanned: Any, folder: str | bytes) -> None:
        self._scanned = scanned
        self._folder = folder

    def __iter__(self) -> Iterator[_Member]:
        return self

    def __next__(self) -> _Member:
        return _Member(next(self._scanned), self._folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the folder."""
        self._scanned.close()


with os.scandir() as _scanned:
    _SCANNED: type[Any] = type(_scanned)
