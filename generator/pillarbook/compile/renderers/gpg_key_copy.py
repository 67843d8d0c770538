"""The private copy of a key folder that gpg works on.

So the folder itself may be read-only and shared, and the agent leaves no sockets and locks there.
Only key material is copied: a configuration beside the keys could name programs to run. A lock
says that the process that made a copy is alive; what a killed one leaves, the next one removes.
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
# A longer path makes gpg-agent fail with an error that does not say why.
MAX_TEMPORARY_FOLDER = 60
"""Characters; the agent's socket below it has to stay under about a hundred."""
SECONDS_TO_LOCK = 60.0
"""How old a copy without a lock has to be before it counts as left behind."""
SECONDS_TO_STOP = 5
"""How long the agent may take to stop."""


def make_home() -> tuple[Path, int]:
    """Return a new folder for nobody else to read, and the lock on it.

    Raises:
        OSError: The temporary folder refuses.
    """
    home = Path(tempfile.mkdtemp(prefix=PREFIX, dir=_short_folder()))
    lock = os.open(home, os.O_RDONLY | os.O_DIRECTORY)
    # Held as long as the process lives, however it ends: it tells `remove_abandoned_homes` what is
    # in use.
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
    """Stop the agent of a copy and delete it, in the process that owns it."""
    # A forked worker ends as well, and must not take the keys away from the others.
    if os.getpid() != owner:
        return
    program = shutil.which("gpgconf")
    # Not "--kill all": asking for a card daemon that never ran can loop without end. An agent that
    # is not told goes by itself once its home is gone.
    for action in ("--kill", "gpg-agent"), ("--remove-socketdir",):
        if program is not None:
            command = [program, "--homedir", str(home), *action]
            with contextlib.suppress(subprocess.TimeoutExpired):
                subprocess.run(  # noqa: S603 (a program of the system, no word of a user's)
                    command, check=False, capture_output=True, timeout=SECONDS_TO_STOP
                )
    shutil.rmtree(home, ignore_errors=True)


def remove_abandoned_homes(seconds: float = SECONDS_TO_LOCK) -> None:
    """Remove the copies of processes that were killed before they could do it.

    Args:
        seconds: How old they are to be; one that is just being made has no lock yet.
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
    """Return where to put the copy; None for the usual temporary folder."""
    usual = tempfile.gettempdir()
    shared = "/tmp"  # noqa: S108 (mkdtemp makes a folder that is the user's own)
    is_long = len(usual) > MAX_TEMPORARY_FOLDER
    return shared if is_long and os.access(shared, os.W_OK) else None
