"""Where the files that diagnostics name lie in the repository."""

import functools
import os
from collections.abc import Callable
from pathlib import Path

from pillarbook.diagnostics.formats.repository_paths import RepositoryPaths
from pillarbook.inventory.reach import find_repository
from pillarbook.inventory.settings import Settings


def find_places(settings: Settings, clean: Callable[[str], str]) -> RepositoryPaths:
    """Return what leads from diagnostics to files, counted from the repository's top.

    Without a repository the top is the current folder, where the master file lies below it, else
    the master file's folder.

    Args:
        settings: What names the master file and the inventory.
        clean: Takes secrets out of a name: of folders above the master file's, of what links lead
            to.
    """
    folder = Path(os.path.realpath(settings.master.absolute().parent))
    here = Path(os.path.realpath(Path.cwd()))
    top = find_repository(folder) or (here if folder.is_relative_to(here) else folder)

    configurations = {place.file for place in settings.positions.values()}  # named as was given

    def show(file: Path) -> str | None:
        path = _find_below(top, file)
        return None if path is None else clean(path)

    @functools.cache
    def locate(file: str) -> str | None:
        return show((here if file in configurations else folder) / file)

    master = show(settings.master.absolute()) or clean(settings.master.name)
    named = (show(path.absolute()) for path in settings.inventory)
    inventory = next((path for path in named if path is not None), master)
    return RepositoryPaths(locate=locate, master=master, inventory=inventory)


def _find_below(top: Path, file: Path) -> str | None:
    """Return a file's path from the top, links followed as far as they stay below it."""
    try:
        given = Path(os.path.realpath(file.parent)) / file.name
        real = Path(os.path.realpath(given))
        if real.is_relative_to(top) and real.is_file():
            return real.relative_to(top).as_posix()
        leads_away = given.is_relative_to(top) and given.is_symlink()
    except (OSError, ValueError):  # a name that no file has
        return None
    return given.relative_to(top).as_posix() if leads_away else None
