"""Finds the recipients of a PGP message: the key ids at its beginning, which are not encrypted.

Anybody may have written a message, and it may be damaged. So an unreadable message has no
recipients, and only the beginning with the recipients is read.

Source: RFC 9580, sections 4.2 (packet headers), 5.1 and 5.3 (session key packets), 6 (armor).
"""

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pillarbook.compile.renderers.ciphertext import END, as_sent
from pillarbook.patterns.ciphertexts import BEGIN

# Anybody may have written the text, and only packets at its beginning name recipients.
MAX_BYTES = 64 * 1024
"""The most bytes of a message that are read; a recipient takes a hundred to two thousand bytes."""
# Protects time: a text may consist of beginnings of messages.
MAX_MESSAGES = 100
"""The most messages of one text that are read."""
MAX_SHOWN = 3
"""The most recipients that are named; the others are counted."""
ANYBODY = "0" * 16
"""The key id of a hidden recipient."""

_BEGIN, _END = BEGIN.encode(), END.encode()
_FOR_A_KEY, _FOR_A_PASSPHRASE, _MARKER, _PADDING = 1, 3, 10, 21
"""Tags of the packets before the encrypted data."""
_BLANK_LINE = re.compile(rb"\n[ \t\r]*\n")
_IN_BASE64 = re.compile(rb"[A-Za-z0-9+/]+")
_CHECKSUM = re.compile(rb"\n[ \t]*=")
_BY_FINGERPRINT = {4: slice(-8, None), 5: slice(8), 6: slice(8)}
"""The position of the key id in a fingerprint, by the key's version."""
_FINGERPRINTS = {4: 20, 5: 32, 6: 32}
"""The length of a fingerprint in bytes, by the key's version."""


@dataclass(frozen=True, slots=True)
class Recipients:
    """The recipients of a message."""

    keys: tuple[str, ...] = ()
    """Key ids, 16 hexadecimal digits each; ``ANYBODY`` for a hidden recipient."""
    passphrase: bool = False
    """Whether a passphrase opens it."""

    def __bool__(self) -> bool:
        """Say whether a recipient is known."""
        return bool(self.keys) or self.passphrase


def find_recipients(text: str | bytes) -> Recipients:
    """Return the recipients of the messages in a text, or of a binary message; never fails."""
    raw = text.encode("utf-8", "replace") if isinstance(text, str) else text
    if _BEGIN not in raw:
        return _read(raw[:MAX_BYTES]) if isinstance(text, bytes) else Recipients()
    each = [_read(_open_armor(message)) for message in _messages(raw)]
    keys = dict.fromkeys(key for one in each for key in one.keys)
    return Recipients(tuple(keys), any(one.passphrase for one in each))


def word_recipients(recipients: Recipients) -> str:
    """Return recipients in words: ``0x1A2B3C4D5E6F7081, a hidden recipient and 2 more``."""
    each = ["a hidden recipient" if key == ANYBODY else f"0x{key}" for key in recipients.keys]
    each += ["a passphrase"] if recipients.passphrase else []
    shown, more = each[:MAX_SHOWN], len(each) - MAX_SHOWN
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _messages(raw: bytes) -> Iterator[bytes]:
    """Yield the first bytes of each message; a message that is cut off ends with the text."""
    at = raw.find(_BEGIN)
    for _ in range(MAX_MESSAGES):
        if at < 0:
            return
        begun = at + len(_BEGIN)
        end = raw.find(_END, begun)
        yield raw[begun : min(end if end >= 0 else len(raw), begun + 2 * MAX_BYTES)]
        at = raw.find(_BEGIN, end) if end >= 0 else -1


def _open_armor(message: bytes) -> bytes:
    """Return the first bytes of the data in armor, up to the first error."""
    lines = as_sent(message).replace(b"\r", b"")
    blank = _BLANK_LINE.search(lines)
    body = lines[blank.end() - 1 :] if blank else lines
    checksum = _CHECKSUM.search(body)
    digits = b"".join(_IN_BASE64.findall(body[: checksum.start()] if checksum else body))
    whole = len(digits) // 4 * 4
    return binascii.a2b_base64(digits[:whole] + _fill(digits[whole:]))[:MAX_BYTES]


def _fill(left: bytes) -> bytes:
    """Return the last base64 digits with padding, if they are one or two bytes."""
    return left + b"=" * (4 - len(left)) if len(left) > 1 else b""


def _read(data: bytes) -> Recipients:
    keys: dict[str, None] = {}
    passphrase = False
    for tag, body in _packets(data):
        if tag == _FOR_A_KEY:
            key = _read_key(body)
            if key is not None:
                keys[key] = None
        elif tag == _FOR_A_PASSPHRASE:
            passphrase = passphrase or body[:1] in (b"\4", b"\5", b"\6")
        elif tag not in (_MARKER, _PADDING):
            return Recipients(tuple(keys), passphrase)
    return Recipients(tuple(keys), passphrase)


def _read_key(body: bytes) -> str | None:
    """Return the key id of a session key packet; None if it cannot be read."""
    if body[:1] in (b"\2", b"\3") and len(body) > 1 + 8:
        return body[1:9].hex().upper()
    if body[:1] != b"\6" or len(body) < 3:
        return None
    size = body[1]
    if size == 0:
        return ANYBODY
    version, fingerprint = body[2], body[3 : 2 + size]
    if _FINGERPRINTS.get(version) != len(fingerprint) or len(fingerprint) != size - 1:
        return None
    return fingerprint[_BY_FINGERPRINT[version]].hex().upper()


def _packets(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield tag and content of each packet, up to the first error."""
    at = 0
    while at < len(data) and data[at] & 0x80:
        first = data[at]
        is_new = bool(first & 0x40)
        tag = first & 0x3F if is_new else first >> 2 & 0x0F
        body, after = _new_body(data, at + 1) if is_new else _old_body(data, at + 1, first & 3)
        yield tag, body
        at = after


def _old_body(data: bytes, at: int, kind: int) -> tuple[bytes, int]:
    """Return the content of a packet with the old header, and the position of the next one."""
    octets = (1, 2, 4, 0)[kind]
    length = int.from_bytes(data[at : at + octets], "big") if octets else len(data)
    start = at + octets
    return data[start : start + length], start + length


def _new_body(data: bytes, at: int) -> tuple[bytes, int]:
    """Return the content of a packet with the new header, its parts joined."""
    parts: list[bytes] = []
    while at < len(data):
        start, length, is_last = _new_length(data, at)
        parts.append(data[start : start + length])
        at = start + length
        if is_last:
            return b"".join(parts), at
    return b"".join(parts), at


def _new_length(data: bytes, at: int) -> tuple[int, int, bool]:
    """Return the start and length of a part, and whether it is the last one."""
    first = data[at]
    if first < 192:
        return at + 1, first, True
    if first < 224:
        return at + 2, (first - 192 << 8) + int.from_bytes(data[at + 1 : at + 2], "big") + 192, True
    if first == 255:
        return at + 5, int.from_bytes(data[at + 1 : at + 5], "big"), True
    return at + 1, 1 << (first & 0x1F), False
