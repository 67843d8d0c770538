"""The files that code of the tree opened by itself, on either side of a comparison."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from pillarbook.changes.comparison.side_files import CODE, follow_links, names_in, read_file
from pillarbook.compile.renderers.code.record_opened import RULE
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.roots.commit_files import CommitFiles
from pillarbook.roots.file_access import Files
from pillarbook.session.session import Session

PROGRAMS = (
    "code of the tree starts programs or imports Python files, or reads files in a way that cannot"
    " be followed; both sides read the files on disk then, so their changes are not compared"
)


class OpenedFiles:
    """The files that code of the tree opened by itself, on either side."""

    def __init__(self, sessions: Iterable[Session]) -> None:
        # Some are not compared, even if the configuration ignores this rule.
        found = [one for session in sessions for one in session.shown.heard_of(RULE)]
        self.paths = tuple(dict.fromkeys(place.file for one in found for place in one.related))
        """The files and folders, as they are shown."""
        self.starts_programs = any(not one.related for one in found)
        """Whether it ran other code, which may have read any file."""

    def has(self, shown: str) -> bool:
        """Say whether code opened a file, or a folder above it, by its shown path."""
        return any(path in (shown, ".") or shown.startswith(f"{path}/") for path in self.paths)

    def describe(self) -> Iterator[Diagnostic]:
        """Yield the diagnostic about files that nobody knows."""
        if self.starts_programs:
            yield new_diagnostic(CODE, PROGRAMS, None)

    def describe_outside(self, top: Path, sides: tuple[Files, Files]) -> Iterator[str]:
        """Yield the sentence about opened files that no commit holds."""
        commits = [files for files in sides if isinstance(files, CommitFiles)]
        found = [
            path
            for path in self.paths
            if commits and _is_alike(top / path, sides)
            if all(files.id_of(top / path) is None for files in commits)
        ]
        if found:
            yield (
                "code of the tree opened files that no revision holds, so their changes are"
                f" not compared: {', '.join(found)}"
            )


def _is_alike(path: Path, sides: tuple[Files, Files]) -> bool:
    """Say whether a path is the same file on both sides; False for folders, which are unknown."""
    first, second = (read_file(files, path) for files in sides)
    if any(follow_links(files, path) is None for files in sides):
        return False  # there is nothing
    return first == second and all(names_in(files, path) is None for files in sides)
