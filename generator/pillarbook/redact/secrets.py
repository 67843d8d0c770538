"""The clear values of secrets, and the tokens that stand for them.

A token says ``same`` and ``changed``, never the value, its length or a hash that can be guessed.
"""

import hashlib
import secrets
from collections.abc import Iterator
from typing import Any

from pillarbook.model import KeyPath
from pillarbook.redact.telling import is_telling

TOKEN_BYTES = 8
LONGEST_KEY = hashlib.blake2b.MAX_KEY_SIZE


class SecretStore:
    """Numbers distinct secrets; never shows one.

    Args:
        key: What tokens are keyed with; without it 32 random bytes, so that the tokens of two
            stores have nothing to do with each other.
    """

    def __init__(self, key: bytes | None = None) -> None:
        self.is_keyed = bool(key)
        """Whether the key was given, and tokens compare with those of other runs."""
        given = key or secrets.token_bytes(32)
        is_long = len(given) > LONGEST_KEY
        self._key = hashlib.blake2b(given).digest() if is_long else given
        self._places: dict[bytes, int] = {}
        self._values: list[Any] = []
        self._paths: list[tuple[tuple[bool, bool, int, tuple[str, ...]], KeyPath]] = []
        self._tokens: list[str] = []

    def __repr__(self) -> str:
        """Return how many there are."""
        return f"SecretStore({len(self._values)} secrets)"

    def __len__(self) -> int:
        return len(self._values)

    def place(self, value: Any, path: KeyPath = (), *, is_copy: bool = False) -> int:
        """Return the place number of a clear value; equal values of one type have one place.

        Args:
            value: The value.
            path: The keys that lead to it. Of several, the shortest and first names the secret,
                whatever comes first.
            is_copy: Whether it is secret for being another's copy, so that its path names it only
                where no other does.
        """
        content = canonical(value)
        place = self._places.get(content)
        rank = (is_copy, not path, len(path), tuple(map(str, path)))
        if place is None:
            place = self._places[content] = len(self._values)
            self._paths.append((rank, path))
            digest = hashlib.blake2b(content, key=self._key, digest_size=TOKEN_BYTES)
            self._tokens.append(digest.hexdigest())
            self._values.append(value)  # last: who counts the values in a thread finds the rest
        elif rank < self._paths[place][0]:
            self._paths[place] = (rank, path)
        return place

    def token(self, place: int) -> str:
        """Return the token of a place: 16 hexadecimal digits."""
        return self._tokens[place]

    def find(self, value: Any) -> int | None:
        """Return the place number of a clear value; None where it is none of the secrets."""
        return self._places.get(canonical(value))

    def path_of(self, place: int) -> KeyPath:
        """Return the keys that name the secret of a place."""
        return self._paths[place][1]

    def named(self) -> tuple[object, ...]:
        """Return what names each secret; another object where another path names it since."""
        return tuple(self._paths)

    def is_copy(self, place: int) -> bool:
        """Say whether a place holds nothing but what was made of other secrets."""
        return self._paths[place][0][0]

    def order_of(self, place: int) -> bytes:
        """Return what puts places in an order that is the same whichever was first."""
        return canonical(self._values[place])

    def value_of(self, place: int) -> Any:
        """Return the clear value of a place."""
        return self._values[place]

    @property
    def key_id(self) -> str:
        """What tells the key from another, and nothing more about it."""
        return hashlib.blake2b(b"id", key=self._key, digest_size=TOKEN_BYTES).hexdigest()

    def derive_key(self, purpose: bytes) -> bytes:
        """Return a key of its own for a purpose; it follows from that of the tokens."""
        return hashlib.blake2b(purpose, key=self._key, digest_size=32).digest()

    def clear_values(self) -> Iterator[Any]:
        """Yield every clear value, for whoever makes sure that none gets out."""
        yield from self._values

    def telling_texts(self) -> Iterator[str]:
        """Yield the texts among them that nobody writes by chance."""
        for value in self._values:
            text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
            if isinstance(text, str) and is_telling(text):
                yield text


def text_of(value: Any) -> str | None:
    """Return a secret as text; None where it has none, or is a word such as true."""
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else None


def canonical(value: Any) -> bytes:
    """Return bytes that are equal for equal values of one type."""
    if isinstance(value, str):
        return b"text:" + value.encode("utf-8", "surrogatepass")
    if isinstance(value, bytes):
        return b"bytes:" + value
    return f"{type(value).__name__}:{value!r}".encode("utf-8", "surrogatepass")
