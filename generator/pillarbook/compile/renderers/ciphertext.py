"""Recognizes ciphertext in PGP armor, to decrypt it or to hide it.

Source: Salt ``salt/renderers/gpg.py``.
"""

import hashlib
import re
from collections.abc import Callable
from typing import TypeGuard

from pillarbook.patterns.ciphertexts import BEGIN, GIT_CRYPT

WHOLE_FILES = (
    (GIT_CRYPT, "a file that git-crypt has locked"),
    (b"$ANSIBLE_VAULT;", "an Ansible Vault file"),
    (b"age-encryption.org/v1", "an age file"),
    (b"-----BEGIN AGE ENCRYPTED FILE-----", "an age file"),
    (b"-----BEGIN PGP MESSAGE-----", "a PGP message"),
)
"""The first bytes of files that are ciphertext as a whole, with their descriptions."""
END = "-----END PGP MESSAGE-----"
MESSAGE = re.compile(f"{BEGIN}.*?{END}", re.DOTALL)
"""A whole message, which Salt decrypts."""
MESSAGE_BYTES = re.compile(MESSAGE.pattern.encode(), re.DOTALL)
REMNANT = re.compile(f"{BEGIN}.*?(?:{END}|\\Z)", re.DOTALL)
"""A message, or the beginning of one that is cut off; neither may be shown."""


def name_sealed(content: bytes) -> str | None:
    """Return the description of a file that is ciphertext (``an age file``); None for others."""
    start = content[:64].lstrip()
    return next((kind for begin, kind in WHOLE_FILES if start.startswith(begin)), None)


def is_ciphertext(text: str) -> bool:
    """Say whether a text contains a message, or the beginning of one."""
    return BEGIN in text


def holds_message(value: object) -> TypeGuard[str | bytes]:
    """Say whether a value of a pillar contains a message, or the beginning of one."""
    if isinstance(value, str):
        return is_ciphertext(value)
    return isinstance(value, bytes) and BEGIN.encode() in value


def digest_of(value: str | bytes) -> bytes:
    """Return a digest of a value that contains ciphertext."""
    raw = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
    return hashlib.sha256(raw).digest()


def hide_messages(text: str, instead: str) -> str:
    """Return a text with each message, and a message that is cut off, replaced."""
    return REMNANT.sub(lambda _: instead, text) if BEGIN in text else text


def as_sent(message: bytes) -> bytes:
    r"""Return a message as gpg takes it: ``\n`` written as two characters is a line feed."""
    return message.replace(b"\\n", b"\n")


def open_messages(
    value: str | bytes, open_message: Callable[[bytes], bytes]
) -> tuple[str | bytes, bool]:
    """Return a value with its messages decrypted, and whether it had any.

    Line feeds at the end of a message are removed. Bytes that are UTF-8 become text, and a text
    whose messages are not UTF-8 becomes bytes.
    """
    raw = value.encode() if isinstance(value, str) else value
    opened, count = MESSAGE_BYTES.subn(lambda match: open_message(match.group()), raw)
    if not count:
        return as_text(value), False
    return as_text(opened.rstrip(b"\n")), True


def as_text(value: str | bytes) -> str | bytes:
    """Return bytes as text if they are UTF-8."""
    if isinstance(value, str):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value
