"""Finds the common hashes of known secrets.

A secret has about three dozen hashes, as programs write them, and they occur only in long runs of
letters and digits. So only these runs are searched, by the first characters of the hashes.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator

HASHES = ("md5", "sha1", "sha256", "sha512", "sha224", "sha384", "blake2b")
USUAL_HASHES = frozenset(HASHES[:4])
"""Hashes that are also looked for in upper case and as base64."""
SHORTEST = 22
"""The length of the shortest hash: MD5 as base64, without padding."""
_SIGNS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/_-"
_MASK = bytes(b"x"[0] if code in _SIGNS else b" "[0] for code in range(256))
"""Maps characters of runs to ``x``; this is ten times as fast as a regular expression."""


class Digests:
    """The hashes of some secrets."""

    def __init__(self) -> None:
        # By the first characters of a hash: all have the same length, so a dict is enough.
        self._ids: dict[bytes, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, secret_id: int, starts: Iterable[bytes]) -> None:
        """Add a secret, given by the first characters of its hashes."""
        own = (secret_id,)
        for start in starts:
            before = self._ids.setdefault(start, own)
            if secret_id not in before:
                self._ids[start] = (*before, secret_id)

    def find(self, data: bytes) -> Iterator[tuple[tuple[int, ...], int, int]]:
        """Yield ``(secret_ids, start, end)`` for each hash in some bytes.

        The end is that of the run, because the rest of the run may be the rest of the hash.
        """
        if not self._ids:
            return
        for begin, end in _runs(data):
            for at in range(begin, end - SHORTEST + 1):
                secret_ids = self._ids.get(data[at : at + SHORTEST])
                if secret_ids is not None:
                    yield secret_ids, at, end
                    break


def _runs(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield ``(start, end)`` for each long run of letters and digits."""
    mask = data.translate(_MASK)
    end = 0
    while (begin := mask.find(b"x" * SHORTEST, end)) >= 0:
        end = mask.find(b" ", begin)
        if end < 0:
            end = len(data)
        yield begin, end


def starts_of_hashes(raw: bytes) -> Iterator[bytes]:
    """Yield the first characters of the hashes of a secret.

    The secret is hashed with and without the white space around it, and with a line feed.
    """
    bare = raw.strip()
    for hashed in dict.fromkeys((raw, raw + b"\n", bare, bare + b"\n")):
        for written in _hashes(hashed):
            yield written[:SHORTEST]


def _hashes(raw: bytes) -> Iterator[bytes]:
    for name in HASHES:
        digest = hashlib.new(name, raw, usedforsecurity=False).digest()
        in_hex = digest.hex().encode()
        yield in_hex
        if name in USUAL_HASHES:
            yield in_hex.upper()
            coded = base64.b64encode(digest)
            yield coded
            yield coded.translate(bytes.maketrans(b"+/", b"-_"))
