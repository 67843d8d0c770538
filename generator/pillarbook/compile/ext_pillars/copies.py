"""Folders of a commit, copied to disk for a package that reads files itself."""

import tempfile
from pathlib import Path

from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.roots.file_access import DISK, Files

# Protects the disk: a commit that somebody proposes may hold far more than the working tree.
MAX_BYTES = 512 * 1024 * 1024
"""So much is copied at most."""


class Copies:
    """Folders that were copied; they are removed with this object."""

    def __init__(self) -> None:
        self._home: tempfile.TemporaryDirectory[str] | None = None
        # By folder, as one object belongs to one commit. The copies go with the object, by
        # `TemporaryDirectory`.
        self._known: dict[Path, Path] = {}
        self._left = MAX_BYTES

    def on_disk(self, folder: Path, files: Files) -> Path:
        """Return a folder as it can be read from disk.

        Args:
            folder: The folder, of which everything below may be read.
            files: Where it is read from.

        Raises:
            RenderError: It holds too much.
        """
        # The working tree is read in place: a copy would cost time and show other paths in errors.
        if files is DISK:
            return folder
        if folder not in self._known:
            if self._home is None:
                self._home = tempfile.TemporaryDirectory(prefix="pillarbook-")
            target = Path(self._home.name, str(len(self._known)))
            self._copy(folder, files, target)
            self._known[folder] = target
        return self._known[folder]

    def _copy(self, folder: Path, files: Files, target: Path) -> None:
        target.mkdir(mode=0o700)
        for root, below, names in files.walk(folder, followlinks=True):
            there = target / Path(root).relative_to(folder)
            for name in below:
                (there / name).mkdir()
            for name in names:
                if files.is_file(Path(root, name)):
                    self._write(there / name, files.read(Path(root, name), self._left + 1))

    def _write(self, file: Path, content: bytes) -> None:
        self._left -= len(content)
        if self._left < 0:
            raise RenderError("its folders hold too much to be copied out of the commit")
        file.write_bytes(content)
