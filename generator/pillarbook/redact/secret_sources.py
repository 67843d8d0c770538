"""The source of a secret, which decides how its token is made.

Somebody who may add values to a tree can add guesses. If a right guess had the same token as the
secret, the tokens would show that it is right. So only plain text of the tree, which this person
can read anyway, gets its token from its value. A decrypted secret gets its token from its
ciphertext, or from file, key path and value. The line is never used, so that a comment above the
value does not change the token.
"""

import hashlib
from dataclasses import dataclass
from typing import Any, Literal

from pillarbook.compile.renderers.ciphertext import digest_of
from pillarbook.model import KeyPath, ListIndex, Origin, SecretOrigin
from pillarbook.patterns.ciphertexts import is_sealed
from pillarbook.redact.declared_secrets import DECLARED

CHUNKS = "chunks"
"""The key above the chunks of a minion's states."""
EXTERNAL = "ext_pillar:"
READ_FROM_FILES = frozenset(
    f"{EXTERNAL}{name}" for name in ("file_tree", "hierarchy_pillar", "stack")
)
"""External pillars whose values are in files of the tree."""


# How a token is made decides who can guess a secret from it: docs/decisions/0022.
@dataclass(frozen=True, slots=True)
class SecretSource:
    """Where a secret comes from, apart from its value."""

    kind: Literal["text", "sealed", "opened"] = "text"
    """``text``: plain text of the tree; ``sealed``: ciphertext; ``opened``: nobody can read it."""
    content: bytes = b""
    """The content of the token; empty for the value itself."""
    here: bytes = b""
    """For ``opened``: equal if file, key path and value are equal."""


TEXT = SecretSource()
"""Text of the tree: equal values have equal tokens."""


def argument_in(path: KeyPath) -> KeyPath | None:
    """Return the argument that the path of a secret in a minion's states leads to, else None.

    The number of the chunk is left out: it says nothing, and is another one for each minion.
    """
    is_in_chunk = path[:1] == (CHUNKS,) and len(path) > 2 and isinstance(path[1], int)
    return path[2:] if is_in_chunk else None


def sealed_as(value: Any) -> SecretSource:
    """Return the source of ciphertext that is not decrypted."""
    return SecretSource("sealed", _by_ciphertext(digest_of(value)))


def answer_at(keys: KeyPath, sources: tuple[str, ...]) -> SecretSource:
    """Return the source of a secret that is not known: its key path, and what it is made of."""
    written = repr((keys, sources)).encode("utf-8", "surrogatepass")
    return SecretSource("sealed", b"\0answer:" + hashlib.sha256(written).digest())


def in_place(file: str, keys: KeyPath, value: Any) -> SecretSource:
    """Return the source of a value whose token depends on file, key path and value."""
    here = _by_place(file, keys, value)
    return SecretSource("opened", here, here)


def source_of(
    value: Any, reason: str, origin: Origin | None, keys: KeyPath, mark: str | None = None
) -> SecretSource:
    """Return the source of a secret in a pillar.

    ``origin`` is the last place that set it, ``keys`` are those of its path without list positions.
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
