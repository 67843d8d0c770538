"""The private copy of a key folder, with which gpg works.

So the folder itself may be read-only and shared, and the agent leaves no sockets and locks in it.
Only keys are copied, because a configuration could name programs to run. A lock shows that the
process of a copy is alive; if the process was killed, another one removes the copy.
"""

import contextlib
import fcntl
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

KEY_FILES = ("pubring.kbx", "pubring.gpg", "secring.gpg", "trustdb.gpg", ".gpg-v21-migrated")
KEY_FOLDERS = ("private-keys-v1.d",)
PREFIX = "pb-keys-"
# With a longer path, gpg-agent fails with an unclear error.
MAX_TEMPORARY_FOLDER = 60
"""Characters; the path of the agent's socket below it is limited to about a hundred."""
SECONDS_TO_LOCK = 60.0
"""A copy without a lock that is older was left behind."""
SECONDS_TO_STOP = 5
"""How long the agent may take to stop."""


def make_home() -> tuple[Path, int]:
    """Return a new private folder, and the lock on it.

    Raises:
        OSError: The temporary folder cannot be used.
    """
    home = Path(tempfile.mkdtemp(prefix=PREFIX, dir=_short_folder()))
    lock = os.open(home, os.O_RDONLY | os.O_DIRECTORY)
    # Held until the process ends, in any way: `remove_abandoned_homes` sees that the copy is in
    # use.
    fcntl.flock(lock, fcntl.LOCK_EX)
    return home, lock


def copy_keys(keydir: Path, home: Path) -> None:
    """Copy the keys of a folder, if there are any.

    Raises:
        OSError: They cannot be read, or not be written.
    """
    for source, target in _key_files(keydir, home):
        target.parent.mkdir(mode=0o700, exist_ok=True)
        # Before the content is written, so that nobody else can open the file in between.
        target.touch(mode=0o600)
        target.write_bytes(source.read_bytes())


def remove_home(home: Path, owner: int) -> None:
    """Stop the agent of a copy and delete the copy, in the process that owns it."""
    # A forked worker also ends, but must not remove the keys of the others.
    if os.getpid() != owner:
        return
    program = shutil.which("gpgconf")
    # Not "--kill all": the request for a card daemon that never ran can loop forever. An agent that
    # gets no signal ends by itself after its home is removed.
    for action in ("--kill", "gpg-agent"), ("--remove-socketdir",):
        if program is not None:
            command = [program, "--homedir", str(home), *action]
            with contextlib.suppress(subprocess.TimeoutExpired):
                subprocess.run(  # noqa: S603 (a program of the system, no word of a user's)
                    command, check=False, capture_output=True, timeout=SECONDS_TO_STOP
                )
    shutil.rmtree(home, ignore_errors=True)


def remove_abandoned_homes(seconds: float = SECONDS_TO_LOCK) -> None:
    """Remove the copies of processes that were killed.

    Args:
        seconds: The least age of a copy; a new one has no lock yet.
    """
    folder = Path(_short_folder() or tempfile.gettempdir())
    for home in folder.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # in use, or another process was quicker
            found = home.stat()
            if found.st_uid != os.getuid() or time.time() - found.st_mtime < seconds:
                continue
            lock = os.open(home, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove_home(home, os.getpid())
            finally:
                os.close(lock)


def _key_files(keydir: Path, home: Path) -> Iterator[tuple[Path, Path]]:
    for name in KEY_FILES:
        if (keydir / name).is_file():
            yield keydir / name, home / name
    for name in KEY_FOLDERS:
        for source in sorted((keydir / name).glob("*.key")):
            if source.is_file():
                yield source, home / name / source.name


def _short_folder() -> str | None:
    """Return a short folder for the copy; None for the usual temporary folder."""
    usual = tempfile.gettempdir()
    shared = "/tmp"  # noqa: S108 (mkdtemp makes a folder that is the user's own)
    is_long = len(usual) > MAX_TEMPORARY_FOLDER
    return shared if is_long and os.access(shared, os.W_OK) else None
