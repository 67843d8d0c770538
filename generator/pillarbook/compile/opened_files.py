"""What is said of files that code of the tree opens by itself."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from pillarbook.compile.project import Project
from pillarbook.compile.renderers.code.opened import ANYTHING, RULE
from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.model import Position

MOST_NAMED = 3
"""Files that a message names."""
HELP = (
    "a comparison finds them as they are on disk, on both sides; `import_yaml`, `slsutil.renderer`"
    " and `cp.get_file_str` read those of each side"
)


def word_opened(
    what: str, position: Position, opened: Iterable[str], project: Project
) -> Iterator[Diagnostic]:
    """Yield what is said of code that opens files of the tree, or starts programs.

    Args:
        what: What the code is of: ``SLS 'web'``.
        position: Where that is.
        opened: The full paths; ``ANYTHING`` for what a program may open.
        project: What the compiles of the run have in common.
    """
    paths = list(opened)
    own = [Path(path) for path in paths if path != ANYTHING]
    files = sorted(project.shown(path) for path in own if _is_of_tree(path, project))
    if files:
        named = ", ".join(files[:MOST_NAMED])
        more = f" and {len(files) - MOST_NAMED:,} more" if len(files) > MOST_NAMED else ""
        yield _word(f"{what} opens files by itself: {named}{more}", position, files)
    if ANYTHING in paths:
        yield _word(f"{what} starts programs, which may read any file", position, ())


def _is_of_tree(path: Path, project: Project) -> bool:
    """Say whether a path is that of a file or folder that the tree may have."""
    return project.options.may_read(Path(os.path.realpath(path)))


def _word(message: str, position: Position, files: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        code=RULE,
        severity=Severity.NOTE,
        message=message,
        position=position,
        related=tuple(Position(file) for file in files),
        help=HELP,
    )
