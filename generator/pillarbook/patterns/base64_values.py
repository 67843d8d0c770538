"""Recognizes the content of base64: known binary formats, keys, text."""

import base64
import binascii
import re
from dataclasses import dataclass

WHOLE = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\Z")
SHORTEST = 16
# A value may be a file of megabytes, and its first bytes show the format.
MAX_SEEN = 4096
"""The most characters that are decoded."""
PKCS12_STORE = "PKCS #12 key store"
SHORTEST_DER = 40
"""Bytes; a shorter key or certificate in DER does not exist."""
PRINTABLE = frozenset(range(0x20, 0x7F)) | {0x09, 0x0A, 0x0D}

PKCS12 = re.compile(rb"\x30.{1,5}\x02\x01\x03\x30", re.DOTALL)
DER_KEY = re.compile(rb"\x30.{1,3}\x02\x01[\x00\x01](?:\x30|\x02\x82|\x02\x81|\x04)", re.DOTALL)
"""PKCS#8, PKCS#1 and SEC 1: a sequence that begins with a small version number."""
STORES = (
    (b"\xfe\xed\xfe\xed", "key store"),
    (b"\xce\xce\xce\xce", "key store"),
    (b"\x05\x02\x00\x00", "Kerberos keytab"),
    (b"openssh-key-v1\0", "private key"),
)
DER_PUBLIC = re.compile(rb"\x30(?:\x82..|\x81.|.)(?:\x30|\x02\x82..[\x00\x80-\xff])", re.DOTALL)
"""A certificate, a request, a public key: a sequence in a sequence, or a modulus."""
KNOWN_BINARY = (
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"RIFF",
    b"\0\0\x01\0",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ",
    b"\x28\xb5\x2f\xfd",
    b"%PDF",
    b"\x7fELF",
    b"wOFF",
    b"wOF2",
    b"OTTO",
    b"\0\x01\0\0",
    b"\0asm",
    b"\xca\xfe\xba\xbe",
    b"SQLite",
    b"\x99\x01",  # PGP public key packets, old style
    b"\x98\x33",
    b"\xc6",
)
"""The first bytes of files that are never secret."""


@dataclass(frozen=True, slots=True)
class Inside:
    """The content of a base64 value, as far as its beginning shows."""

    secret: str | None = None
    """The kind of secret: ``private key``, ``key store``."""
    text: str | None = None
    """The text; None for binary content."""
    is_public: bool = False
    """Whether the format is harmless: a picture, a certificate."""


def look_inside(value: str) -> Inside | None:
    """Return the content of a value; None if it is not long enough base64."""
    joined = _join(value)
    if joined is None:
        return None
    try:
        raw = base64.b64decode(joined[:MAX_SEEN], validate=True)
    except binascii.Error:
        return None
    if all(byte in PRINTABLE for byte in raw):
        return Inside(text=raw.decode("ascii"))
    secret = _find_secret(raw)
    is_der = len(raw) > SHORTEST_DER and DER_PUBLIC.match(raw) is not None
    return Inside(secret, is_public=raw.startswith(KNOWN_BINARY) or is_der)


def _find_secret(raw: bytes) -> str | None:
    if PKCS12.match(raw):
        return PKCS12_STORE
    if len(raw) > SHORTEST_DER and DER_KEY.match(raw):
        return "private key"
    return next((reason for magic, reason in STORES if raw.startswith(magic)), None)


def _join(value: str) -> str | None:
    """Return base64 on one line; None if it is not base64, or too short."""
    text = value.strip()
    if "\n" in text:
        lines = text.split()
        if len(lines[0]) < SHORTEST or any(len(line) != len(lines[0]) for line in lines[:-1]):
            return None
        text = "".join(lines)
    return text if len(text) >= SHORTEST and WHOLE.match(text) else None
