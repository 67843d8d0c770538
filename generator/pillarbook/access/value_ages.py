"""Find when values last changed, in the git repositories of their files."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from pillarbook.compile.project import Project
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.inventory.reach import find_repository
from pillarbook.roots.git_files import RepositoryError
from pillarbook.roots.git_home import find_home
from pillarbook.roots.history import LineAge, Range, WantedLines, find_ages
from pillarbook.roots.line_maps import LARGEST_TEXT
from pillarbook.roots.repository import Repository

ValueStart: TypeAlias = tuple[str, int]
"""A file as it is shown, and the line that a value begins in."""
_KEY = re.compile(r"""\s*(?:-\s+)*(?=[^\s:]+\s*:(?:\s|\Z)|(["']).*\1\s*:(?:\s|\Z))""")
"""The text before a key, with the signs of list members."""
_MEMBER = re.compile(r"\s*(?:-\s+)*(?=-(?:\s|\Z))|\s*")
"""The text before the last sign of a list's member, or before a scalar."""


def find_value_ages(
    places: Iterable[ValueStart], project: Project, *, authors: bool = False
) -> dict[ValueStart, LineAge]:
    """Return when the lines of values last changed; files outside of repositories are left out.

    With ``authors``, also who changed them.
    """
    by_file: dict[str, list[int]] = {}
    for file, line in dict.fromkeys(places):
        by_file.setdefault(file, []).append(line)
    by_repository: dict[Path, list[_File]] = {}
    for name, lines in by_file.items():
        found = _open(name, lines, project)
        folder = None if found is None else find_repository(found.path.parent)
        if found is not None and folder is not None:
            by_repository.setdefault(folder, []).append(found)
    ages: dict[ValueStart, LineAge] = {}
    for folder, files in by_repository.items():
        ages.update(_find_in(folder, files, project.options.reach.covers, authors=authors))
    return ages


class _File:
    """A file with the lines that values begin in."""

    def __init__(self, shown: str, path: Path, content: bytes, lines: Iterable[int]) -> None:
        self.shown = shown
        self.path = path
        self.content = content
        text = content.decode("utf-8", "replace").splitlines()
        self.extents = {line: find_extent(text, line) for line in lines if line <= len(text)}

    def wanted_in(self, folder: Path) -> WantedLines:
        """Return the lines to ask a repository for."""
        path = self.path.relative_to(folder).as_posix()
        return WantedLines(path, self.content, tuple(dict.fromkeys(self.extents.values())))


def _open(shown: str, lines: Iterable[int], project: Project) -> _File | None:
    """Return a file of the working tree; None if it is elsewhere, as in a commit."""
    try:
        path = project.resolve(str(project.options.top / shown)).resolve()
        if not path.is_file() or path.stat().st_size > LARGEST_TEXT:
            return None
        return _File(shown, path, path.read_bytes(), lines)
    except (OSError, RenderError, ValueError):
        return None


def _find_in(
    folder: Path, files: Iterable[_File], allowed: Callable[[Path], bool], *, authors: bool
) -> Mapping[ValueStart, LineAge]:
    """Return the ages of lines in one repository; nothing if it cannot be read."""
    files = list(files)
    home = find_home(folder)
    own = () if home is None else home.own  # git's files of a worktree are elsewhere
    try:
        repository = Repository(
            folder, allowed=lambda path: allowed(path) or any(map(path.is_relative_to, own))
        )
        found = find_ages(repository, [file.wanted_in(folder) for file in files])
    except RepositoryError:
        return {}
    if authors:
        found = {place: _with_author(age, repository) for place, age in found.items()}
    return {
        (file.shown, line): found[file.path.relative_to(folder).as_posix(), extent]
        for file in files
        for line, extent in file.extents.items()
    }


def _with_author(age: LineAge, repository: Repository) -> LineAge:
    commit = None if age.commit is None else repository.read_commit(age.commit)
    return age if commit is None else replace(age, author=commit.author)


def find_extent(lines: Sequence[str], first: int) -> Range:
    """Return the first and the last line of a value.

    In YAML, the lines after the key that have more indentation belong to the value. In other
    formats, people indent lists and mappings in the same way. Empty lines inside belong to the
    value.
    """
    margin = _margin_of(lines[first - 1])
    last = first
    for number, line in enumerate(lines[first:], first + 1):
        if not line.strip():
            continue
        if len(line) - len(line.lstrip()) <= margin:
            break
        last = number
    return first, last


def _margin_of(line: str) -> int:
    found = _KEY.match(line) or _MEMBER.match(line)
    return found.end() if found else 0
