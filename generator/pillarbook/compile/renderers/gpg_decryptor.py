"""Opens PGP messages with the ``gpg`` program, or leaves them sealed.

gpg works on a private copy of the key folder, so that the folder itself may be read-only and
shared, and its agent leaves no sockets and locks there. Only key material is copied: a
configuration beside the keys could name programs to run.

Source: Salt ``salt/renderers/gpg.py``.
"""

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

from pillarbook.compile.renderers.ciphertext import (
    BEGIN,
    MESSAGE_BYTES,
    as_sent,
    as_text,
    is_ciphertext,
    open_messages,
)
from pillarbook.compile.renderers.errors import RenderError

KEY_FILES = ("pubring.kbx", "pubring.gpg", "secring.gpg", "trustdb.gpg", ".gpg-v21-migrated")
KEY_FOLDERS = ("private-keys-v1.d",)
LONGEST_TEMPORARY_FOLDER = 60
"""Characters; the agent's socket below it has to stay under about a hundred."""
LARGEST_MESSAGE = 16 * 1024 * 1024
"""Bytes of clear text that one message may hold."""
SECONDS_TO_STOP = 5
"""How long the agent may take to stop."""
SECONDS = 60
"""What gpg may take for one message."""
OPTIONS = (
    "--no-options --status-fd 2 --no-tty --batch --pinentry-mode error --trust-model always"
    f" --no-auto-check-trustdb --disable-dirmngr --max-output {LARGEST_MESSAGE} -d"
).split()
STATUS_LINE = re.compile(rb"^\[GNUPG:\] .*$", re.MULTILINE)
NO_KEY = re.compile(rb"^\[GNUPG:\] NO_SECKEY ([0-9A-F]+)", re.MULTILINE)


class DecryptError(RenderError):
    """A message that cannot be decrypted; the text is Salt's and holds the ciphertext."""

    def __init__(self, message: str, clean: str) -> None:
        super().__init__(message, rule="cannot-decrypt")
        self.clean = clean
        """The same in words that may be shown."""


class SealedDecryptor:
    """Leaves every message as it is."""

    sealed = True

    def decrypt_message(self, message: bytes) -> bytes:
        """Return the message itself."""
        return message

    def decrypt_text(self, text: str | bytes) -> tuple[str | bytes, bool]:
        """Return the text itself, and whether it holds a message."""
        return as_text(text), _holds_message(text)

    def prefetch(self, texts: Iterable[str | bytes]) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True, repr=False)
class _Outcome:
    """What gpg made of one message."""

    clear: bytes
    """The clear text; empty where it could not be had."""
    errors: bytes
    """gpg's status lines."""
    clean: str
    """Why there is no clear text, in words that may be shown."""


class GpgDecryptor:
    """Opens messages with the keys of one folder; keeps what it opened for as long as it lives.

    A process that is to fork calls ``prefetch`` or ``prepare`` before: the copy of the keys belongs
    to the process that made it, which alone removes it.

    Args:
        keydir: The GPG home; it is only read, and need not exist.
        must_succeed: Whether a message that cannot be opened is an error; else it stays.
    """

    sealed = False

    def __init__(self, keydir: Path, must_succeed: bool) -> None:
        self._keydir = keydir
        self._must_succeed = must_succeed
        self._known: dict[bytes, _Outcome] = {}
        self._home: Path | None = None
        self._removal: weakref.finalize[[Path, int], GpgDecryptor] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def decrypt_text(self, text: str | bytes) -> tuple[str | bytes, bool]:
        """Return a text with its messages opened, and whether it held any.

        Raises:
            DecryptError: A message that cannot be opened, where it must be.
        """
        return open_messages(text, self.decrypt_message)

    def decrypt_message(self, message: bytes) -> bytes:
        """Return the clear text of one message, or the message where it may stay.

        Raises:
            DecryptError: It cannot be opened, and must be.
        """
        cipher = as_sent(message)
        if cipher not in self._known:
            self._open([cipher])
        outcome = self._known[cipher]
        if outcome.clear:
            return outcome.clear
        if not self._must_succeed:
            return cipher
        text = f"Could not decrypt cipher {cipher!r}, received: {outcome.errors!r}"
        raise DecryptError(text, f"a PGP message cannot be decrypted: {outcome.clean}")

    def prefetch(self, texts: Iterable[str | bytes]) -> None:
        """Open all messages of some texts, several at the same time."""
        ciphers = {
            as_sent(message): None
            for text in texts
            if _holds_message(text)
            for message in MESSAGE_BYTES.findall(text.encode() if isinstance(text, str) else text)
        }
        missing = iter([cipher for cipher in ciphers if cipher not in self._known])
        while batch := list(islice(missing, os.cpu_count() or 1)):
            self._open(batch)

    def prepare(self) -> Path:
        """Copy the keys, if that is not done yet; return the copy's folder."""
        if self._home is None:
            self._home = _copy_keys(self._keydir)
            self._removal = weakref.finalize(self, _remove, self._home, os.getpid())
        return self._home

    def close(self) -> None:
        """Stop the agent and remove the copy of the keys; what was opened stays known."""
        if self._removal is not None:
            self._removal()
        self._home = None

    def _open(self, ciphers: Sequence[bytes]) -> None:
        """Open messages at the same time, each with a gpg of its own."""
        program = shutil.which("gpg")
        if program is None:
            text = "GPG unavailable"
            raise DecryptError(text, "the gpg program is not installed")
        command = [program, "--homedir", str(self.prepare()), *OPTIONS]
        running = [(cipher, _start(command, cipher)) for cipher in ciphers]
        for cipher, process in running:
            self._known[cipher] = self._finish(process)

    def _finish(self, process: "subprocess.Popen[bytes]") -> _Outcome:
        try:
            clear, errors = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return _Outcome(b"", b"", f"gpg took longer than {SECONDS} s")
        if b"exceeded --max-output limit" in errors:
            return _Outcome(b"", b"", f"it holds more than {LARGEST_MESSAGE:,} bytes")
        status = b"\n".join(STATUS_LINE.findall(errors))
        return _Outcome(clear, status, "" if clear else self._explain(status))

    def _explain(self, status: bytes) -> str:
        keys = dict.fromkeys(key.decode() for key in NO_KEY.findall(status))
        if keys:
            where = "" if self._keydir.is_dir() else ", and the key folder does not exist"
            return f"no secret key {' or '.join(keys)}{where}"
        if b"NODATA" in status:
            return "it is damaged"
        if b"DECRYPTION_OKAY" in status:
            return "there is nothing in it"
        if b"pkdecrypt_failed" in status or b"PASSPHRASE" in status:
            return "the secret key is protected by a passphrase"
        return "gpg reports a failure"


def _holds_message(text: str | bytes) -> bool:
    return is_ciphertext(text) if isinstance(text, str) else BEGIN.encode() in text


def _start(command: Sequence[str], cipher: bytes) -> "subprocess.Popen[bytes]":
    """Start a gpg; it reads from a file, so that nobody waits for a full pipe."""
    with tempfile.TemporaryFile() as given:
        given.write(cipher)
        given.seek(0)
        return subprocess.Popen(  # noqa: S603 (a fixed program, no shell)
            command,
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"},
        )


def _copy_keys(keydir: Path) -> Path:
    """Return a new folder with the keys of ``keydir``, for nobody else to read."""
    home = Path(tempfile.mkdtemp(prefix="pb-", dir=_short_folder()))
    for source, target in _key_files(keydir, home):
        target.parent.mkdir(mode=0o700, exist_ok=True)
        target.touch(mode=0o600)
        target.write_bytes(source.read_bytes())
    return home


def _key_files(keydir: Path, home: Path) -> Iterator[tuple[Path, Path]]:
    for name in KEY_FILES:
        if (keydir / name).is_file():
            yield keydir / name, home / name
    for name in KEY_FOLDERS:
        for source in sorted((keydir / name).glob("*.key")):
            yield source, home / name / source.name


def _short_folder() -> str | None:
    """Return where to put the copy; None for the usual temporary folder."""
    usual = tempfile.gettempdir()
    shared = "/tmp"  # noqa: S108 (mkdtemp makes a folder that is the user's own)
    is_long = len(usual) > LONGEST_TEMPORARY_FOLDER
    return shared if is_long and os.access(shared, os.W_OK) else None


def _remove(home: Path, owner: int) -> None:
    """Stop the agent of a copy and delete it, in the process that made it."""
    if os.getpid() != owner:
        return
    program = shutil.which("gpgconf")
    # Not "--kill all": asking for a card daemon that never ran can loop without end. An agent that
    # is not told goes by itself once its home is gone.
    for action in ("--kill", "gpg-agent"), ("--remove-socketdir",):
        if program is not None:
            command = [program, "--homedir", str(home), *action]
            with contextlib.suppress(subprocess.TimeoutExpired):
                subprocess.run(  # noqa: S603 (as above)
                    command, check=False, capture_output=True, timeout=SECONDS_TO_STOP
                )
    shutil.rmtree(home, ignore_errors=True)
