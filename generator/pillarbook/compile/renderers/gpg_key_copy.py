"""The private copy of a key folder, with which gpg works.

So the folder itself may be read-only and shared, and the agent leaves no sockets and locks in it.
Only keys are copied, because a configuration could name programs to run.
"""

import contextlib
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from pillarbook.roots.private_folder import delete

KEY_FILES = ("pubring.kbx", "pubring.gpg", "secring.gpg", "trustdb.gpg", ".gpg-v21-migrated")
KEY_FOLDERS = ("private-keys-v1.d",)
SECONDS_TO_STOP = 5
"""How long the agent may take to stop."""


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


def remove_home(home: Path) -> None:
    """Stop the agent of a copy, and delete the copy."""
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
    delete(home)


def _key_files(keydir: Path, home: Path) -> Iterator[tuple[Path, Path]]:
    for name in KEY_FILES:
        if (keydir / name).is_file():
            yield keydir / name, home / name
    for name in KEY_FOLDERS:
        for source in sorted((keydir / name).glob("*.key")):
            if source.is_file():
                yield source, home / name / source.name
