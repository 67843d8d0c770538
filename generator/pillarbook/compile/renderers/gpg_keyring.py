"""The owners of the keys in a keyring, and whether the keys are valid.

Source: GnuPG ``doc/DETAILS`` (format of ``--with-colons``).
"""

import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

OPTIONS = (
    *("--no-options", "--no-tty", "--batch", "--no-auto-check-trustdb", "--disable-dirmngr"),
    *("--with-colons", "--fixed-list-mode", "--with-secret", "--list-keys"),
)
SECONDS = 60
"""The most seconds that gpg may take to list the keys."""
# The owner of a key chooses the name, which diagnostics show.
MAX_OWNER = 120
"""The most characters of a user id that are shown."""
KEY_ID = re.compile(r"\b0x([0-9A-F]{16})\b")
ESCAPED = re.compile(rb"\\x([0-9a-fA-F]{2})")
NO_SECRET = ("", "#")
"""The marks for a key without secret key, or with a stub of one."""


@dataclass(frozen=True, slots=True)
class Key:
    """A primary key or a subkey."""

    owner: str
    """The primary key's first user id that is not revoked, or else its first one; empty for
    none."""
    revoked: bool
    """Whether it, or its primary key, is revoked."""
    expires: int | None
    """When it, or its primary key, expires, in seconds since 1970; None for never."""
    is_secret: bool
    """Whether its secret key exists here, so that it decrypts messages."""


Keyring: TypeAlias = Mapping[str, Key]
"""The keys by their key ids: 16 hexadecimal digits, upper case."""


def list_keys(program: str, home: Path, environment: Mapping[str, str]) -> Keyring | None:
    """Return the keys of a GPG home; None if gpg fails."""
    try:
        listed = subprocess.run(  # noqa: S603 (a fixed program, no shell)
            [program, "--homedir", str(home), *OPTIONS],
            check=False,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=SECONDS,
            env=dict(environment),
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return None if listed.returncode else read_listing(listed.stdout)


def read_listing(listing: bytes) -> dict[str, Key]:
    """Return the keys in a listing of ``--with-colons``."""
    keys: dict[str, Key] = {}
    for records in _primary_keys(listing):
        users = sorted((one for one in records if one[0] == b"uid"), key=_is_revoked)
        owner = _read_owner(users[0]) if users else ""
        primary = _read_key(records[0], owner)
        keys[_id_of(records[0])] = primary
        for record in records[1:]:
            if record[0] == b"sub":
                keys[_id_of(record)] = _below(primary, _read_key(record, owner))
    return keys


def name_keys(text: str, keyring: Keyring) -> str:
    """Return a text in which the owner follows each key id."""

    def name(found: "re.Match[str]") -> str:
        key = keyring.get(found[1])
        return found[0] if key is None or not key.owner else f"{found[0]} ({key.owner})"

    return KEY_ID.sub(name, text)


def _primary_keys(listing: bytes) -> Iterator[list[list[bytes]]]:
    """Yield the records of each primary key: its own, its user ids', its subkeys'."""
    records: list[list[bytes]] = []
    for line in listing.splitlines():
        record = line.split(b":")
        record += [b""] * (15 - len(record))
        if record[0] == b"pub":
            if records:
                yield records
            records = [record]
        elif records and record[0] in (b"uid", b"sub"):
            records.append(record)
    if records:
        yield records


def _is_revoked(record: list[bytes]) -> bool:
    return record[1] == b"r"


def _read_owner(record: list[bytes]) -> str:
    raw = ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), record[9])
    shown = "".join(sign if sign.isprintable() else "?" for sign in raw.decode("utf-8", "replace"))
    return shown if len(shown) <= MAX_OWNER else f"{shown[:MAX_OWNER]}..."


def _id_of(record: list[bytes]) -> str:
    return record[4].decode("ascii", "replace").upper()


def _read_key(record: list[bytes], owner: str) -> Key:
    expires = int(record[6]) if record[6].isdigit() else None
    is_secret = record[14].decode("ascii", "replace") not in NO_SECRET
    return Key(owner, _is_revoked(record), expires, is_secret)


def _below(primary: Key, subkey: Key) -> Key:
    """Return a subkey, whose validity depends on its primary key."""
    ends = [one for one in (primary.expires, subkey.expires) if one is not None]
    return replace(
        subkey, revoked=primary.revoked or subkey.revoked, expires=min(ends, default=None)
    )
