"""Salt's master options: the values that Salt has in ``opts``, and the lines that set them."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pillarbook.inventory.reach import Reach
from pillarbook.model import KeyPath, Position


@dataclass(frozen=True, slots=True, kw_only=True)
class MasterOptions:
    """A master's options.

    All minions share them, so they must not change, and a template gets a copy.
    """

    values: Mapping[str, Any]
    """Salt's defaults with the file's own values over them; paths as they are written."""
    folder: Path
    """The master file's folder, absolute; relative paths count from there."""
    file: Path
    """The master file, absolute."""
    top: Path
    """The folder that names of files count from: the repository's, without one ``folder``."""
    positions: Mapping[str, Position]
    """The line of each option that the file sets."""
    places: Mapping[KeyPath, Position]
    """The lines of their keys and list members, two levels down: ``('nodegroups', 'web')``."""
    reach: Reach
    """What may be read."""
    paths: Mapping[str, Path]
    """Local paths by the absolute paths, or URLs, of the master that they replace."""

    @property
    def declared(self) -> dict[str, Any]:
        """The options that the file sets itself."""
        return {key: self.values[key] for key in self.positions if key in self.values}

    def place_of(self, *path: Any) -> Position | None:
        """Return the line of a key, or of its option; None for Salt's own default."""
        return self.places.get(path[:2]) or self.positions.get(path[0])

    def shown(self, path: Path) -> str:
        """Return a path as diagnostics name it: relative to the repository."""
        return show_from(self.top, path)

    def resolve_path(self, text: str) -> Path:
        """Return the local path for a path of the master file or of a template.

        The longest match in ``paths`` replaces an absolute path; relative ones count from the
        folder. Links are kept in the path, but their targets are checked.

        Raises:
            OutsideReachError: It leads out of the reach.
        """
        path = self.locate(text)
        self.reach.resolve_declared(path)
        return path

    def map_url(self, url: str) -> Path | None:
        """Return the path to which the longest match in ``paths`` maps a URL; None if none does."""
        for prefix in sorted(self.paths, key=len, reverse=True):
            lead = prefix if prefix.endswith(("/", ":")) else prefix + "/"
            if not prefix.startswith("/") and (url == prefix or url.startswith(lead)):
                return self.paths[prefix] / url.removeprefix(prefix).lstrip("/")
        return None

    def may_read(self, path: Path) -> bool:
        """Say whether a path with its links followed may be read."""
        return self.reach.trusting or self.reach.allows(path)

    def may_read_git(self, path: Path) -> bool:
        """Say whether git's own files at a path may be read by their readers."""
        return self.reach.trusting or self.reach.covers(path)

    def locate(self, text: str) -> Path:
        """Return the local path for a path of the master; nothing checks where it leads."""
        path = Path(text)
        if not path.is_absolute():
            return self.folder / path
        for prefix in sorted(self.paths, key=len, reverse=True):
            if path.is_relative_to(prefix):
                return self.paths[prefix] / path.relative_to(prefix)
        return path


def show_from(folder: Path, path: Path) -> str:
    """Return a path as it is written from a folder, with slashes."""
    try:
        return path.relative_to(folder).as_posix()
    except ValueError:
        return Path(os.path.relpath(path, folder)).as_posix()


def list_texts(value: Any, *, keys: bool = False) -> Iterator[str]:
    """Yield all texts in an option's value, at any depth; keys of mappings too if ``keys``."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for below in (*(value if keys else ()), *value.values()):
            yield from list_texts(below, keys=keys)
    elif isinstance(value, list):
        for below in value:
            yield from list_texts(below, keys=keys)
