"""Paths in the repository for the files that diagnostics name."""

import functools
import os
from collections.abc import Callable
from pathlib import Path

from pillarbook.diagnostics.formats.repository_findings import RepositoryPaths
from pillarbook.inventory.reach import find_repository, find_top
from pillarbook.inventory.settings import Settings


def find_places(settings: Settings, clean: Callable[[str], str]) -> RepositoryPaths:
    """Return the paths of files from the repository's top, for diagnostics.

    Without a repository, the top is the current folder if the master file is below it; else it is
    the master file's folder.

    Args:
        settings: The settings with the master file and the inventory.
        clean: Removes secrets from names: of folders above the master file, of targets of links.
    """
    folder = Path(os.path.realpath(settings.master.absolute().parent))
    here = Path(os.path.realpath(Path.cwd()))
    home = find_repository(folder)
    top = home or (here if folder.is_relative_to(here) else folder)
    named_from = find_top(settings.master.absolute().parent)

    # Without a repository, the configuration has the name that the user gave.
    as_given = set() if home else {place.file for place in settings.positions.values()}

    def show(file: Path) -> str | None:
        path = _find_below(top, file)
        return None if path is None else clean(path)

    @functools.cache
    def locate(file: str) -> str | None:
        return show((here if file in as_given else named_from) / file)

    master = show(settings.master.absolute()) or clean(settings.master.name)
    named = (show(path.absolute()) for path in settings.inventory)
    inventory = next((path for path in named if path is not None), master)
    return RepositoryPaths(locate=locate, master=master, inventory=inventory)


def _find_below(top: Path, file: Path) -> str | None:
    """Return a file's path from the top, links followed if they stay below it."""
    try:
        given = Path(os.path.realpath(file.parent)) / file.name
        real = Path(os.path.realpath(given))
        if real.is_relative_to(top) and real.is_file():
            return real.relative_to(top).as_posix()
        leads_away = given.is_relative_to(top) and given.is_symlink()
    except (OSError, ValueError):  # no file can have this name
        return None
    return given.relative_to(top).as_posix() if leads_away else None
