"""Finding the common hashes of known secrets.

A secret has three dozen hashes, as each program writes them, and they stand only in long runs of
letters and digits. So they are looked up where there is such a run, by how they begin.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator

HASHES = ("md5", "sha1", "sha256", "sha512", "sha224", "sha384", "blake2b")
USUAL_HASHES = frozenset(HASHES[:4])
"""Those that are looked for in capital letters and as base64, too."""
SHORTEST = 22
"""Characters of the shortest one: MD5 as base64, without what fills it up."""
_SIGNS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/_-"
_MASK = bytes(b"x"[0] if code in _SIGNS else b" "[0] for code in range(256))
"""Shows where runs are; to look for them in that is ten times as fast as a regular expression."""


class Digests:
    """The hashes of some secrets."""

    def __init__(self) -> None:
        # By the first characters of a hash: they are enough to tell hashes apart, and a dict needs
        # no automaton.
        self._places: dict[bytes, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self._places)

    def add(self, place: int, starts: Iterable[bytes]) -> None:
        """Take a secret."""
        own = (place,)
        for start in starts:
            before = self._places.setdefault(start, own)
            if place not in before:
                self._places[start] = (*before, place)

    def find(self, data: bytes) -> Iterator[tuple[tuple[int, ...], int, int]]:
        """Yield the places of what is found in some bytes, and where it begins and ends.

        It goes as far as the run that it stands in: what follows may be the rest of it.
        """
        if not self._places:
            return
        for begin, end in _runs(data):
            for at in range(begin, end - SHORTEST + 1):
                places = self._places.get(data[at : at + SHORTEST])
                if places is not None:
                    yield places, at, end
                    break


def _runs(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where longer runs of letters and digits begin and end."""
    mask = data.translate(_MASK)
    end = 0
    while (begin := mask.find(b"x" * SHORTEST, end)) >= 0:
        end = mask.find(b" ", begin)
        if end < 0:
            end = len(data)
        yield begin, end


def starts_of_hashes(raw: bytes) -> Iterator[bytes]:
    """Yield how the hashes of a secret begin, with and without the blanks around it, as a line."""
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
