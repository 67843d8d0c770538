"""Reads the hand-written pages; each file is checked when it is opened.

MkDocs follows every link among its pages, and opens files long after it has listed them. So files
are opened by this module, which opens only the file that it has checked.
"""

import io
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from mkdocs.structure.files import File, Files

from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.reach import folder_of
from pillarbook.publish.run import stopping
from pillarbook.roots.no_links import GIT, NotRegularError, follow_path, is_inside, open_file

# Protects MkDocs, which needs memory for each file, from a folder that a pull request adds.
MAX_ENTRIES = 200_000
"""Links to folders can name one file in very many places, and MkDocs would list all of them."""


class DocsFileError(PillarbookError):
    """A file among the hand-written pages cannot be published."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} cannot be published: {why}")


class StrayLinkError(Exception):
    """A link leads to a file that MkDocs must not read."""


class EndlessLinksError(Exception):
    """MkDocs would follow links among the pages without end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocsReach:
    """Which files may be published beside the report."""

    folders: tuple[Path, ...]
    """Folders in which these files may be."""
    trusted: bool
    """Whether they may be anywhere."""

    def may_read(self, real: Path) -> bool:
        """Say whether a path without links may be read."""
        return self.trusted or any(is_inside(real, folder) for folder in self.folders)

    def open(self, path: Path) -> IO[bytes]:
        """Return a file for reading.

        Raises:
            DocsFileError: It leads to a forbidden file, is no regular file, or cannot be read.
        """
        try:
            real = follow_path(path).real
            if not self.may_read(real):
                where = "into .git" if GIT in real.parts else "out of the repository"
                remedy = f"remove it, or use --allow {folder_of(real)} or --trust if you trust it"
                raise DocsFileError(path, f"it leads {where}, to {real}; {remedy}")
            return os.fdopen(open_file(real), "rb")
        except NotRegularError as error:
            why = "it is not a regular file; remove it, or name it in `exclude_docs`"
            raise DocsFileError(path, why) from error
        except OSError as error:
            raise DocsFileError(path, error.strerror or str(error)) from error


def find_docs_reach(
    docs: Path, inside: Path, allow: tuple[Path, ...], *, trusted: bool
) -> DocsReach:
    """Return the folders whose files may be published."""
    folders = [follow_path(folder).real for folder in (inside, *allow)]
    real = follow_path(docs).real
    if not any(real.is_relative_to(folder) for folder in folders):
        folders.append(real)  # `mkdocs build` uses the folder of the configuration
    return DocsReach(folders=tuple(folders), trusted=trusted)


class CheckedFile(File):
    """A file of the hand-written pages, which is checked each time that it is read."""

    def __init__(self, file: File, reach: DocsReach) -> None:
        self.__dict__.update(file.__dict__)
        self._reach = reach

    def open_source(self) -> IO[bytes]:
        """Return the file for reading.

        Raises:
            Stopped: It may not or cannot be read.
        """
        assert self.abs_src_path is not None  # noqa: S101 (else it has content)
        with stopping():
            return self._reach.open(Path(self.abs_src_path))

    def _read_bytes(self) -> bytes:
        if self._content is not None:
            return File.content_bytes.fget(self)  # type: ignore[attr-defined,no-any-return]
        with self.open_source() as source:
            return source.read()

    def _read_string(self) -> str:
        if self._content is not None:
            return File.content_string.fget(self)  # type: ignore[attr-defined,no-any-return]
        with io.TextIOWrapper(self.open_source(), encoding="utf-8-sig") as source:
            return source.read()

    content_bytes = property(_read_bytes, File.content_bytes.fset)  # type: ignore[attr-defined]
    content_string = property(_read_string, File.content_string.fset)  # type: ignore[attr-defined]

    def copy_file(self, dirty: bool = False) -> None:
        """Copy the file into the site."""
        if self._content is not None or (dirty and not self.is_modified()):
            super().copy_file(dirty)
            return
        target = Path(self.abs_dest_path)
        target.parent.mkdir(parents=True, exist_ok=True)
        with self.open_source() as source, target.open("wb") as out:
            shutil.copyfileobj(source, out)


def check_files(files: Files, docs: str, reach: DocsReach, is_used: Callable[[File], bool]) -> None:
    """Check every file of the hand-written pages, now and each time that it is read.

    The files of the pages are replaced, in their order; those that ``is_used`` does not call
    published are never opened.

    Raises:
        Stopped: A file may not or cannot be published.
    """
    for file in list(files):
        files.remove(file)
        if type(file) is File and file.src_dir == docs and file.abs_src_path is not None:
            file = CheckedFile(file, reach)  # noqa: PLW2901 (the same file)
            if is_used(file):
                file.open_source().close()
        files.append(file)


def refuse_stray_links(docs: Path, may_read: Callable[[Path], bool]) -> None:
    """Check the links among the hand-written pages; like MkDocs, follow links to folders as well.

    Raises:
        StrayLinkError: A link leads to a forbidden file.
        EndlessLinksError: Links lead in a cycle, or to very many places.
        OSError: A folder cannot be listed.
    """
    for count, (link, real) in enumerate(_walk(docs)):
        if count > MAX_ENTRIES:
            raise EndlessLinksError(f"{docs} has more than {MAX_ENTRIES:,} files, links followed")
        if link is not None and not may_read(real):
            where = "into .git" if GIT in real.parts else "outside"
            why = f"{link} leads {where}, to {real} (--allow {folder_of(real)} covers it)"
            raise StrayLinkError(why)


def _walk(docs: Path) -> Iterator[tuple[Path | None, Path]]:
    """Yield every entry below a folder: the link to it, if it is one, and its target."""
    real = follow_path(docs).real
    yield docs, real
    waiting: list[tuple[Path, Path, tuple[Path, ...]]] = [(docs, real, (real,))]
    while waiting:
        folder, real, above = waiting.pop()
        for entry in _list(real):
            path, leads = folder / entry.name, real / entry.name
            if entry.is_symlink():
                leads = follow_path(leads).real
                yield path, leads
                if leads in above:
                    why = f"{path} is a link to a folder that contains it; remove it"
                    raise EndlessLinksError(why)
            else:
                yield None, leads
            if entry.name != GIT and entry.is_dir():
                waiting.append((path, leads, (*above, leads)))


def _list(folder: Path) -> list[os.DirEntry[str]]:
    """Return the entries of a folder; as for MkDocs, none if it cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return []
