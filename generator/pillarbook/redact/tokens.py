"""Tokens of secrets: keyed digests that nobody can guess without the key."""

import hashlib
import secrets

TOKEN_BYTES = 8
MAX_KEY = hashlib.blake2b.MAX_KEY_SIZE


class TokenKey:
    """Makes digests that nobody can guess without the key.

    Args:
        key: The key; without it 32 random bytes, so that the tokens of two stores have nothing to
            do with each other.
    """

    def __init__(self, key: bytes | None = None) -> None:
        self.is_given = bool(key)
        """Whether the key was given, and tokens compare with those of other runs."""
        given = key or secrets.token_bytes(32)
        is_long = len(given) > MAX_KEY
        self._key = hashlib.blake2b(given).digest() if is_long else given

    def __repr__(self) -> str:
        """Return whether it was given, never the key."""
        return f"TokenKey({'given' if self.is_given else 'random'})"

    @property
    def id(self) -> str:
        """What tells the key from another, and nothing more about it."""
        return self.digest(b"id")

    def digest(self, content: bytes) -> str:
        """Return the token of some bytes: 16 hexadecimal digits."""
        return hashlib.blake2b(content, key=self._key, digest_size=TOKEN_BYTES).hexdigest()

    def derive(self, purpose: bytes) -> bytes:
        """Return a key of its own for a purpose; it follows from that of the tokens."""
        return hashlib.blake2b(purpose, key=self._key, digest_size=32).digest()
