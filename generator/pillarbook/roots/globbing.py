"""Patterns of paths, as ``glob.glob`` reads them, over files that need not be on disk."""

import fnmatch
import glob
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol


class GlobFiles(Protocol):
    """What patterns ask of files."""

    def is_dir(self, path: Path) -> bool:
        """Say whether a path leads to a folder."""
        ...

    def exists(self, path: Path) -> bool:
        """Say whether a path leads to anything."""
        ...

    def is_link(self, path: Path) -> bool:
        """Say whether a path is itself a link."""
        ...

    def names(self, folder: Path) -> list[str]:
        """Return the names in a folder."""
        ...


def glob_in(files: GlobFiles, pattern: str, folder: Path) -> list[str]:
    """Return what a relative pattern fits below a folder; hidden names stay out.

    Args:
        files: Where they are looked for.
        pattern: The pattern.
        folder: The folder.
    """
    found = [""]
    for part in pattern.split("/"):
        found = [fit for above in found for fit in _fit(files, part, above, folder)]
    return [one for one in found if one]


def _fit(files: GlobFiles, part: str, above: str, folder: Path) -> Iterator[str]:
    """Yield what one part of a pattern fits, each with what is above it."""
    if part == "":
        # At the end it asks for a folder; elsewhere, as two slashes, it says nothing.
        if not above or files.is_dir(folder / above):
            yield f"{above}/" if above else ""
        return
    lead = above if not above or above.endswith("/") else f"{above}/"
    if not glob.has_magic(part):
        place = folder / f"{lead}{part}"
        if files.exists(place) or files.is_link(place):
            yield f"{lead}{part}"
        return
    if not files.is_dir(folder / above):
        return
    for name in fnmatch.filter(files.names(folder / above), part):
        if part.startswith(".") or not name.startswith("."):
            yield f"{lead}{name}"
