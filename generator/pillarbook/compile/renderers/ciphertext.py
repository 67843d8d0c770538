"""What ciphertext in PGP armor looks like, for those who open it and those who hide it.

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
"""How files begin that are ciphertext as a whole, and what they are."""
END = "-----END PGP MESSAGE-----"
MESSAGE = re.compile(f"{BEGIN}.*?{END}", re.DOTALL)
"""A whole message; what Salt decrypts."""
MESSAGE_BYTES = re.compile(MESSAGE.pattern.encode(), re.DOTALL)
REMNANT = re.compile(f"{BEGIN}.*?(?:{END}|\\Z)", re.DOTALL)
"""A message, or what begins like one and is cut off; what must not be shown."""


def name_sealed(content: bytes) -> str | None:
    """Return what a file is that is ciphertext as a whole (``an age file``), None for others."""
    start = content[:64].lstrip()
    return next((kind for begin, kind in WHOLE_FILES if start.startswith(begin)), None)


def is_ciphertext(text: str) -> bool:
    """Say whether a text holds a message, or the beginning of one."""
    return BEGIN in text


def holds_message(value: object) -> TypeGuard[str | bytes]:
    """Say whether a value of a pillar holds a message, or the beginning of one."""
    if isinstance(value, str):
        return is_ciphertext(value)
    return isinstance(value, bytes) and BEGIN.encode() in value


def digest_of(value: str | bytes) -> bytes:
    """Return what tells a value with ciphertext in it from others."""
    raw = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
    return hashlib.sha256(raw).digest()


def hide_messages(text: str, instead: str) -> str:
    """Return a text with each message in it, and a cut-off one, replaced."""
    return REMNANT.sub(lambda _: instead, text) if BEGIN in text else text


def as_sent(message: bytes) -> bytes:
    r"""Return a message as gpg takes it: ``\n`` written as two characters is a line feed."""
    return message.replace(b"\\n", b"\n")


def open_messages(
    value: str | bytes, open_message: Callable[[bytes], bytes]
) -> tuple[str | bytes, bool]:
    """Return a value with its messages opened, and whether it held any.

    Line feeds at the end go where there was a message. Bytes that are UTF-8 become text, and text
    whose messages hold something else becomes bytes.
    """
    raw = value.encode() if isinstance(value, str) else value
    opened, count = MESSAGE_BYTES.subn(lambda match: open_message(match.group()), raw)
    if not count:
        return as_text(value), False
    return as_text(opened.rstrip(b"\n")), True


def as_text(value: str | bytes) -> str | bytes:
    """Return bytes as text where they are UTF-8."""
    if isinstance(value, str):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value
