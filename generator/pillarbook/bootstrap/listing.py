"""What is in a folder: the names of its files, without following links out of it."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from pillarbook.inventory.config_yaml import load_salt_config
from pillarbook.inventory.reach import find_top
from pillarbook.model import Position
from pillarbook.roots.no_links import SITE_MARK

# Somebody may call `init` in a home folder by mistake.
MAX_FILES = 50_000
"""Files that are looked at; a folder with more is no pillar repository."""
DEEPEST = 12
"""Levels of folders that are looked into."""
LARGEST_TEXT = 1024 * 1024
"""Bytes that are read of a file to see what it is."""
SKIPPED = frozenset(("node_modules", "__pycache__", "venv"))
"""Folders that hold what others wrote; hidden ones are left out, too."""
SIDE = frozenset(
    (
        "_tests",
        "contrib",
        "doc",
        "docs",
        "example",
        "examples",
        "fixtures",
        "integration",
        "kitchen",
        "sample",
        "samples",
        "spec",
        "templates",
        "test",
        "testing",
        "tests",
    )
)
"""Folders that hold what is not the tree itself."""


@dataclass(frozen=True)
class Listing:
    """The files of a folder."""

    folder: Path
    """The folder, absolute."""
    files: tuple[str, ...]
    """Relative paths with slashes; what lies higher comes first."""

    @cached_property
    def names(self) -> frozenset[str]:
        """The relative paths as a set, to look one up."""
        return frozenset(self.files)

    @cached_property
    def folders(self) -> tuple[str, ...]:
        """The folders that hold files, ``.`` first; what lies higher comes first."""
        found = {"."}
        for name in self.files:
            found.update(str(parent) for parent in PurePosixPath(name).parents)
        return tuple(sorted(found, key=_height))

    def below(self, folder: str) -> Iterator[str]:
        """Yield the files below a folder, relative to it."""
        if folder == ".":
            yield from self.files
            return
        start = f"{folder}/"
        for name in self.files:
            if name.startswith(start):
                yield name.removeprefix(start)

    def read(self, name: str) -> str | None:
        """Return the beginning of a file as text; None where it cannot be read, or leads out."""
        if not lies_in(self.folder, name):
            return None
        try:
            with (self.folder / name).open("rb") as file:
                return file.read(LARGEST_TEXT).decode("utf-8-sig", "replace")
        except OSError:
            return None


def lies_in(folder: Path, name: str) -> bool:
    """Say whether there is a plain file in a folder: no pipe, and no link that leads out."""
    path = folder / name
    try:
        return path.is_file() and path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


def read_config(text: str) -> Any:
    """Return the data of a text as Salt reads its own configuration; None if it is not YAML."""
    try:
        return load_salt_config(text)[0]
    except (yaml.YAMLError, ValueError, RecursionError):
        return None


def list_files(folder: Path) -> Listing:
    """Return the files of a folder; links to folders, and names that are no text, are left out."""
    found: list[str] = []
    for here, folders, files in os.walk(folder):
        relative = os.path.relpath(here, folder)
        depth = 0 if relative == "." else relative.count(os.sep) + 1
        folders[:] = sorted(name for name in folders if _may_enter(here, name, depth))
        prefix = "" if relative == "." else relative.replace(os.sep, "/") + "/"
        found.extend(prefix + name for name in files if _is_text(name))
        if len(found) > MAX_FILES:
            break
    return Listing(folder, tuple(sorted(found[:MAX_FILES], key=_height)))


def is_aside(path: str) -> bool:
    """Say whether a path lies among tests, examples and the like."""
    return any(part.lower() in SIDE for part in PurePosixPath(path).parts)


def join(folder: str, name: str) -> str:
    """Return a path below a folder, without a leading ``./``."""
    return str(PurePosixPath(folder, name))


def _may_enter(here: str, name: str, depth: int) -> bool:
    if name.startswith(".") or name in SKIPPED or depth >= DEEPEST or not _is_text(name):
        return False
    # a folder with a virtual environment, or a site that was written here
    marks = ("pyvenv.cfg", SITE_MARK)
    return not any(os.path.lexists(Path(here, name, mark)) for mark in marks)


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return name.isprintable()


def _height(name: str) -> tuple[int, str]:
    return name.count("/") if name != "." else -1, name


CONFIGURATION = "mkdocs.yml"
Shown = Callable[[Position | None], str]
"""Gives a place as users see it, with a colon behind it; nothing for none."""


def show_places(master: Path, folder: Path) -> Shown:
    """Return a function that shows positions relative to a folder."""
    home = find_top(master.absolute().parent)

    def show(position: Position | None) -> str:
        if position is None:
            return ""
        if position.file == CONFIGURATION:
            return f"{position}: "
        return f"{replace(position, file=os.path.relpath(home / position.file, folder))}: "

    return show
