"""Writes files that were not there before, and no other."""

import os
from pathlib import Path

from pillarbook.diagnostics import PillarbookError
from pillarbook.roots.no_links import follow_path, is_inside, open_folder

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class CannotWriteError(PillarbookError):
    """A file that the disk refuses."""

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(
            f"{path} cannot be written: {error.strerror}; run it in a copy of the folder"
            " that you can write to"
        )


class LedOutError(PillarbookError):
    """A folder to write into that is a link to elsewhere."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} cannot be written: a link in its path leads out of the folder; remove the link"
        )


class NewFiles:
    """Writes new files into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        """The folder."""

    def check(self) -> None:
        """See that something can be written, before anything is.

        Raises:
            CannotWriteError: Nothing can be.
        """
        probe = f".pillarbook-{os.getpid()}.partial"
        try:
            with open_folder(follow_path(self.folder).real) as folder:
                os.close(os.open(probe, _NEW, dir_fd=folder))
                os.unlink(probe, dir_fd=folder)
        except OSError as error:
            raise CannotWriteError(self.folder, error) from error

    def is_free(self, name: str) -> bool:
        """Say whether nothing has a name yet; a broken link has it, too."""
        return not os.path.lexists(self.folder / name)

    def free_name(self, name: str, *others: str) -> str:
        """Return the first of some names that nothing has yet; the last with a number else."""
        for one in (name, *others):
            if self.is_free(one):
                return one
        stem, dot, end = (others[-1] if others else name).rpartition(".")
        stem, end = (stem, end) if dot else (end, "")
        return next(
            made
            for number in range(2, 10_000)
            if self.is_free(made := f"{stem}-{number}{dot}{end}")
        )

    def write(self, name: str, text: str) -> bool:
        """Write a file where there is none; say whether it was written.

        Raises:
            CannotWriteError: The disk refuses.
            LedOutError: A link on the way leads out of the folder.
        """
        path = self.folder / name
        try:
            target = follow_path(path.parent).real
            if not is_inside(target, follow_path(self.folder).real):
                raise LedOutError(path)
            with open_folder(target, make=True) as folder:
                descriptor = os.open(path.name, _NEW, 0o666, dir_fd=folder)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            return False
        except OSError as error:
            raise CannotWriteError(path, error) from error
        return True
