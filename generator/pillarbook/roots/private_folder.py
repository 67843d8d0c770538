"""Private folders for copies, below the machine's temporary folder.

A lock shows that the process of a folder is alive; if the process was killed, another one removes
the folder.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
import weakref
from collections.abc import Callable
from pathlib import Path

PREFIX = "pb-private-"
# With a longer path, gpg-agent fails with an unclear error.
MAX_TEMPORARY_FOLDER = 60
"""Characters; the path of the agent's socket below it is limited to about a hundred."""
SECONDS_TO_LOCK = 60.0
"""A folder without a lock that is older was left behind."""


class PrivateFolder:
    """A new folder that only the user can read; removed with this object, or at the end.

    Raises:
        OSError: The temporary folder cannot be used.
    """

    def __init__(self, remove: Callable[[Path], object]) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=_short_folder()))
        """Its path."""
        lock = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        # Held until the process ends, in any way: `remove_abandoned` sees that it is in use.
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.remove = weakref.finalize(self, _remove, self.path, lock, os.getpid(), remove)
        """Removes it; can be called again."""


def _remove(path: Path, lock: int, owner: int, remove: Callable[[Path], object]) -> None:
    # A forked worker also ends, but must not remove what the others use.
    if os.getpid() == owner:
        remove(path)
        os.close(lock)


def delete(path: Path) -> None:
    """Delete a private folder in which no process runs."""
    shutil.rmtree(path, ignore_errors=True)


def remove_abandoned(remove: Callable[[Path], object], seconds: float = SECONDS_TO_LOCK) -> None:
    """Remove the private folders of processes that were killed.

    Folders of less than ``seconds`` stay; a new one has no lock yet.
    """
    above = Path(_short_folder() or tempfile.gettempdir())
    for path in above.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # in use, or another process was quicker
            found = path.stat()
            if found.st_uid != os.getuid() or time.time() - found.st_mtime < seconds:
                continue
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove(path)
            finally:
                os.close(lock)


def _short_folder() -> str | None:
    """Return a short folder for private folders; None for the usual temporary folder."""
    usual = tempfile.gettempdir()
    shared = "/tmp"  # noqa: S108 (mkdtemp makes a folder that is the user's own)
    is_long = len(usual) > MAX_TEMPORARY_FOLDER
    return shared if is_long and os.access(shared, os.W_OK) else None
