"""Tokens of secrets: keyed hashes that nobody can compute without the key."""

import hashlib
import secrets

TOKEN_BYTES = 8
MAX_KEY = hashlib.blake2b.MAX_KEY_SIZE


class TokenKey:
    """Makes keyed hashes.

    Without a key it has 32 random bytes, so that tokens of two stores are unrelated.
    """

    def __init__(self, key: bytes | None = None) -> None:
        self.is_given = bool(key)
        """Whether the key was given, so that tokens are comparable with those of other runs."""
        given = key or secrets.token_bytes(32)
        is_long = len(given) > MAX_KEY
        self._key = hashlib.blake2b(given).digest() if is_long else given

    def __repr__(self) -> str:
        """Return whether the key was given, never the key."""
        return f"TokenKey({'given' if self.is_given else 'random'})"

    @property
    def id(self) -> str:
        """An identifier of the key that reveals nothing else about it."""
        return self.digest(b"id")

    def digest(self, content: bytes) -> str:
        """Return the token of some bytes: 16 hexadecimal digits."""
        return hashlib.blake2b(content, key=self._key, digest_size=TOKEN_BYTES).hexdigest()

    def derive(self, purpose: bytes) -> bytes:
        """Return another key for a purpose, derived from the key for tokens."""
        return hashlib.blake2b(purpose, key=self._key, digest_size=32).digest()


class Tokens:
    """Gives each token of saved results a secret id."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._tokens: list[str] = []
        self.are_comparable = True
        """Whether equal tokens mean equal secrets; if not, all secrets count as one."""

    def secret_id(self, token: str) -> int:
        """Return the secret id for a token."""
        known = token if self.are_comparable else "unknown"
        secret_id = self._ids.get(known)
        if secret_id is None:
            secret_id = self._ids[known] = len(self._tokens)
            self._tokens.append(known)
        return secret_id

    def token(self, secret_id: int) -> str:
        """Return the token of a secret id."""
        return self._tokens[secret_id]
