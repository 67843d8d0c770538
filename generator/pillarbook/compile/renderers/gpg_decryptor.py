"""Decrypts PGP messages with the ``gpg`` program, or leaves them sealed.

Source: Salt ``salt/renderers/gpg.py``.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Self

from pillarbook.compile.renderers.ciphertext import (
    MESSAGE_BYTES,
    as_sent,
    as_text,
    holds_message,
    open_messages,
)
from pillarbook.compile.renderers.gpg_keyring import Keyring, list_keys
from pillarbook.compile.renderers.render_errors import RenderError

if TYPE_CHECKING:
    from pillarbook.roots.private_folder import PrivateFolder

LARGEST_MESSAGE = 16 * 1024 * 1024
"""The most bytes of clear text for one message."""
SECONDS = 60
"""The most seconds that gpg may take for one message."""
OPTIONS = (
    "--no-options --status-fd 2 --no-tty --batch --pinentry-mode error --trust-model always"
    f" --no-auto-check-trustdb --disable-dirmngr --max-output {LARGEST_MESSAGE} -d"
).split()
STATUS_LINE = re.compile(rb"^\[GNUPG:\] .*$", re.MULTILINE)
NO_KEY = re.compile(rb"^\[GNUPG:\] NO_SECKEY ([0-9A-F]+)", re.MULTILINE)


class DecryptError(RenderError):
    """A message that cannot be decrypted; the text is Salt's and contains the ciphertext."""

    def __init__(self, message: str, clean: str) -> None:
        super().__init__(message, rule="undecryptable")
        self.clean = clean
        """The message without ciphertext."""


class SealedDecryptor:
    """Leaves every message unchanged."""

    sealed = True

    def decrypt_message(self, message: bytes) -> bytes:
        """Return the message itself."""
        return message

    def decrypt_text(self, text: str | bytes) -> tuple[str | bytes, bool]:
        """Return the text itself, and whether it contains a message."""
        return as_text(text), holds_message(text)

    def prefetch(self, texts: Iterable[str | bytes]) -> None:
        """Do nothing."""

    def read_keyring(self) -> Keyring | None:
        """Return None, because there are no keys."""
        return None


@dataclass(frozen=True, slots=True, repr=False)
class _Outcome:
    """The result of gpg for one message."""

    clear: bytes
    """The clear text; empty after an error."""
    errors: bytes
    """gpg's status lines."""
    clean: str
    """Why there is no clear text, in words that may be shown."""


class GpgDecryptor:
    """Decrypts messages with the keys of one folder, and caches the results.

    A process that forks must call ``prefetch`` or ``prepare`` before: the copy of the keys belongs
    to the process that made it, and only that process removes it. The ``keydir`` is only read, and
    need not exist. Unless it ``must_succeed``, a message that cannot be decrypted stays.
    """

    sealed = False

    def __init__(self, keydir: Path, must_succeed: bool) -> None:
        self._keydir = keydir
        self._must_succeed = must_succeed
        # By ciphertext: the keys do not change in a run, so a message has one result. Errors are
        # cached as well, so that gpg does not start again for each minion. Kept to the end of the
        # run, and never on disk (docs/decisions/0009).
        self._known: dict[bytes, _Outcome] = {}
        self._keyring: list[Keyring | None] = []
        self._home: PrivateFolder | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def decrypt_text(self, text: str | bytes) -> tuple[str | bytes, bool]:
        """Return a text with its messages decrypted, and whether it had any.

        Raises:
            DecryptError: A message cannot be decrypted, and ``must_succeed`` is set.
        """
        return open_messages(text, self.decrypt_message)

    def decrypt_message(self, message: bytes) -> bytes:
        """Return the clear text of a message, or the message itself.

        Raises:
            DecryptError: It cannot be decrypted, and ``must_succeed`` is set.
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
        """Decrypt all messages of some texts, several at the same time."""
        ciphers = {
            as_sent(message): None
            for text in texts
            if holds_message(text)
            for message in MESSAGE_BYTES.findall(text.encode() if isinstance(text, str) else text)
        }
        missing = iter([cipher for cipher in ciphers if cipher not in self._known])
        while batch := list(islice(missing, os.cpu_count() or 1)):
            self._open(batch)

    def read_keyring(self) -> Keyring | None:
        """Return the keys of the folder, which are listed once.

        None if there is no such folder, or if it cannot be listed.
        """
        if not self._keyring:
            self._keyring.append(self._list_keys())
        return self._keyring[0]

    def _list_keys(self) -> Keyring | None:
        program = shutil.which("gpg")
        if program is None or not self._keydir.is_dir():
            return None
        try:
            return list_keys(program, self.prepare(), _environment())
        except DecryptError:
            return None

    def prepare(self) -> Path:
        """Copy the keys unless this was done before; return the folder of the copy.

        Raises:
            DecryptError: They cannot be copied.
        """
        if self._home is not None:
            return self._home.path
        from pillarbook.compile.renderers.gpg_key_copy import (  # noqa: PLC0415 (few decrypt)
            copy_keys,
            remove_home,
        )
        from pillarbook.roots.private_folder import (  # noqa: PLC0415 (few decrypt)
            PrivateFolder,
            remove_abandoned,
        )

        try:
            remove_abandoned(remove_home)
            self._home = PrivateFolder(remove_home)
            copy_keys(self._keydir, self._home.path)
        except OSError as error:
            self.close()
            why = f"the keys cannot be copied: {error.strerror}"
            raise DecryptError("GPG unavailable", why) from error
        return self._home.path

    def close(self) -> None:
        """Stop the agent and remove the copy of the keys; results stay cached."""
        if self._home is not None:
            self._home.remove()
        self._home = None

    def _open(self, ciphers: Sequence[bytes]) -> None:
        """Decrypt messages at the same time, each with its own gpg process."""
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
            return _Outcome(b"", b"", f"it has more than {LARGEST_MESSAGE:,} bytes")
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
            return "it is empty"
        if b"pkdecrypt_failed" in status or b"PASSPHRASE" in status:
            return "the secret key is protected by a passphrase"
        return "gpg reports a failure"


def _start(command: Sequence[str], cipher: bytes) -> "subprocess.Popen[bytes]":
    """Start gpg with a file as its input, so that no process waits for a full pipe."""
    with tempfile.TemporaryFile() as given:
        given.write(cipher)
        given.seek(0)
        return subprocess.Popen(  # noqa: S603 (a fixed program, no shell)
            command,
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(),
        )


def _environment() -> dict[str, str]:
    """Return the environment for gpg."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}
