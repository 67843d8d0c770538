"""Where a secret comes from, which is what its token is made of.

Whoever may add values to a tree can add guesses. If a guess had the token of the secret that it is
equal to, the tokens would say which guess is right. So only text that is in the tree as it is,
which such a person can read anyway, has a token by its value. What was opened has one by its
ciphertext, or by its file and key path together with the value; never by its line, since a comment
above it is no change.
"""

import hashlib
from dataclasses import dataclass
from typing import Any, Literal

from pillarbook.compile.renderers.ciphertext import digest_of
from pillarbook.model import KeyPath, ListIndex, Origin, SecretOrigin
from pillarbook.patterns.ciphertexts import is_sealed
from pillarbook.redact.declared_secrets import DECLARED

EXTERNAL = "ext_pillar:"
READ_FROM_FILES = frozenset(
    f"{EXTERNAL}{name}" for name in ("file_tree", "hierarchy_pillar", "stack")
)
"""External pillars whose values are in files of the tree."""


# What a token is made of decides who can guess a secret from it: docs/decisions/0022.
@dataclass(frozen=True, slots=True)
class SecretSource:
    """Where a secret comes from, apart from its value."""

    kind: Literal["text", "sealed", "opened"] = "text"
    """``text`` is in the tree as it is, ``sealed`` is ciphertext; nobody can read the rest."""
    content: bytes = b""
    """What the token is made of; empty for the value."""
    here: bytes = b""
    """The file, the key path and the value of what was opened: equal where these are."""


TEXT = SecretSource()
"""Text of the tree: equal values have equal tokens."""


def sealed_as(value: Any) -> SecretSource:
    """Return the source of ciphertext that stays as it is."""
    return SecretSource("sealed", _by_ciphertext(digest_of(value)))


def in_place(file: str, keys: KeyPath, value: Any) -> SecretSource:
    """Return the source of a value that is told from others by where it is given."""
    here = _by_place(file, keys, value)
    return SecretSource("opened", here, here)


def source_of(
    value: Any, reason: str, origin: Origin | None, keys: KeyPath, mark: str | None = None
) -> SecretSource:
    """Return the source of a secret in a pillar.

    Args:
        value: The value.
        reason: Why it is secret.
        origin: What gave it.
        keys: Its key path without list positions.
        mark: What the compiler or the inventory knows of the value.
    """
    if is_sealed(reason):
        return sealed_as(value)
    if origin is None:
        return in_place("", keys, value)
    keys += tuple(key for key in origin.below if not isinstance(key, ListIndex))
    if isinstance(origin, SecretOrigin):
        mark = mark or origin.secret
        if origin.ciphertext is not None and canonical(origin.value) == canonical(value):
            here = _by_place(origin.file, keys, value)
            return SecretSource("opened", _by_ciphertext(origin.ciphertext), here)
    name = origin.sls or ""
    is_external = name.startswith(EXTERNAL) and name not in READ_FROM_FILES
    if is_external or origin.sls is None or mark not in (None, DECLARED):
        return in_place(f"{origin.file} {name}" if is_external else origin.file, keys, value)
    return TEXT


def canonical(value: Any) -> bytes:
    """Return bytes that are equal for equal values of one type."""
    if isinstance(value, str):
        return b"text:" + value.encode("utf-8", "surrogatepass")
    if isinstance(value, bytes):
        return b"bytes:" + value
    return f"{type(value).__name__}:{value!r}".encode("utf-8", "surrogatepass")


def _by_ciphertext(digest: bytes) -> bytes:
    return b"\0ciphertext:" + digest


def _by_place(file: str, keys: KeyPath, value: Any) -> bytes:
    place = repr((file, keys)).encode("utf-8", "surrogatepass")
    return b"\0place:" + hashlib.sha256(place).digest() + canonical(value)
