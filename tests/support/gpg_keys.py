"""Keys of all fates, made by the real gpg, and messages to them."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.fleets import CASES

LONG_AGO = "20200101T000000"
KEYS = {
    "good": ("Good Key <good@example.com>", "never"),
    "other": ("Other: Key <other@example.com>", "never"),
    "expired": ("Expired Key <expired@example.com>", "1d"),
    "revoked": ("Revoked Key <revoked@example.com>", "never"),
    "absent": ("Absent Key <absent@example.com>", "never"),
    "colleague": ("Colleague's Key <colleague@example.com>", "never"),
}
"""Name, user id and life of each."""
STRANGERS = ("absent", "colleague")
"""Of these there is no secret key; of the first there is no public one either."""


@dataclass(frozen=True, slots=True)
class KeyHome:
    """A GPG home with keys."""

    folder: Path

    def run(self, *words: str, given: bytes = b"") -> bytes:
        command = ["gpg", "--homedir", str(self.folder), "--batch", "--no-tty", "--quiet"]
        command += ["--pinentry-mode", "loopback", "--passphrase", "", "--trust-model", "always"]
        made = subprocess.run([*command, *words], input=given, capture_output=True, check=False)
        assert made.returncode == 0, made.stderr.decode()
        return made.stdout

    def encrypt(self, clear: str, *names: str, hidden: Sequence[str] = ()) -> str:
        """Return a message to some keys, as it could be made before anything befell them."""
        words = ["--faked-system-time", f"{LONG_AGO}!", "--armor", "--encrypt"]
        for name in names:
            words += ["--recipient", KEYS[name][0].partition(" <")[2].rstrip(">")]
        for name in hidden:
            words += ["--hidden-recipient", KEYS[name][0].partition(" <")[2].rstrip(">")]
        return self.run(*words, given=clear.encode()).decode().strip()

    def id_of(self, name: str) -> str:
        """Return the key id that messages to a key name: its subkey's."""
        listed = self.run("--with-colons", "--list-keys", KEYS[name][0]).decode().splitlines()
        return next(line.split(":")[4] for line in listed if line.startswith("sub:"))

    def stop(self) -> None:
        command = ["gpgconf", "--homedir", str(self.folder), "--kill", "gpg-agent"]
        subprocess.run(command, check=False, capture_output=True)


@contextmanager
def open_home(folder: Path) -> Iterator[KeyHome]:
    """Use a folder as a GPG home, and stop its agent at the end."""
    folder.mkdir(mode=0o700, exist_ok=True)
    home = KeyHome(folder)
    try:
        yield home
    finally:
        home.stop()


@contextmanager
def open_test_home(folder: Path) -> Iterator[KeyHome]:
    """Use a copy of the test key's home."""
    shutil.copytree(CASES / "gpgkeys", folder)
    folder.chmod(0o700)
    with open_home(folder) as home:
        yield home


def make_keys(home: KeyHome) -> dict[str, str]:
    """Make all keys before anything befell them, and return their ids."""
    for user, life in KEYS.values():
        # With its mark for a clock that stands still: a key that a slow machine makes a second later
        # is one of the future to what is encrypted then.
        past = ["--faked-system-time", f"{LONG_AGO}!"]
        home.run(*past, "--quick-generate-key", user, "ed25519", "sign", life)
        fingerprint = _fingerprint(home, user)
        home.run(*past, "--quick-add-key", fingerprint, "cv25519", "encr", life)
    return {name: home.id_of(name) for name in KEYS}


def let_time_pass(home: KeyHome) -> None:
    """Revoke what is to be revoked, and take away what is to be away."""
    certificate = home.folder / f"openpgp-revocs.d/{_fingerprint(home, KEYS['revoked'][0])}.rev"
    home.run("--import", given=certificate.read_bytes().replace(b":-----BEGIN", b"-----BEGIN"))
    for name in STRANGERS:
        home.run("--yes", "--delete-secret-keys", _fingerprint(home, KEYS[name][0]))
    home.run("--yes", "--delete-keys", _fingerprint(home, KEYS["absent"][0]))


def _fingerprint(home: KeyHome, user: str) -> str:
    listed = home.run("--with-colons", "--list-keys", user).decode().splitlines()
    return next(line.split(":")[9] for line in listed if line.startswith("fpr:"))
