"""Files that code of the tree opens by itself: both sides find them as they are on disk."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from pillarbook.changes.comparison.side_files import CODE, read_file
from pillarbook.compile.renderers.code.record_opened import RULE
from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.model import Position
from pillarbook.roots.file_access import Files
from pillarbook.session.session import Session

WHY = "so what changes there is not compared"
FILE = f"is opened by code of the tree, which finds it on disk on both sides, {WHY}"
PROGRAMS = f"code of the tree starts programs, which find the files on disk on both sides, {WHY}"


class OpenedFiles:
    """What code of the tree opened by itself, on either side."""

    def __init__(self, sessions: Iterable[Session]) -> None:
        # Even where the configuration ignores such code, what it opens is not compared.
        found = [one for session in sessions for one in session.shown.heard_of(RULE)]
        self.paths = tuple(dict.fromkeys(place.file for one in found for place in one.related))
        """The files and folders, as they are shown."""
        self.starts_programs = any(not one.related for one in found)
        """Whether it started programs, which may have read any file."""

    def may_have(self, shown: str) -> bool:
        """Say whether it may have read a file, by its shown path."""
        return self.starts_programs or any(_is_at(shown, path) for path in self.paths)

    def describe(self, folder: Path, sides: tuple[Files, Files]) -> Iterator[Diagnostic]:
        """Yield what is not compared for that."""
        for path in self.paths:
            if not _is_alike(folder / path, sides):
                yield _word(f"{path} {FILE}", Position(path))
        if self.starts_programs:
            yield _word(PROGRAMS, None)


def _is_alike(path: Path, sides: tuple[Files, Files]) -> bool:
    """Say whether a path leads to the same file on both sides; of folders it is not known."""
    first, second = (read_file(files, path) for files in sides)
    return first == second and not any(files.is_dir(path) for files in sides)


def _is_at(shown: str, path: str) -> bool:
    return path in (shown, ".") or shown.startswith(f"{path}/")


def _word(message: str, position: Position | None) -> Diagnostic:
    return Diagnostic(code=CODE, severity=Severity.WARNING, message=message, position=position)
