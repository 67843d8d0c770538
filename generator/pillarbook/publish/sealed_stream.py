"""A stream of bytes that only the holder of a key can read, or write.

It is compressed, and encrypted in blocks with XChaCha20-Poly1305 of PyNaCl. Each block is bound to
the head of the file, its number, and whether it is the last one. So a stream that was changed, cut
off, or put together from others cannot be read.
"""

import zlib
from typing import TYPE_CHECKING, BinaryIO

from pillarbook.diagnostics import PillarbookError

if TYPE_CHECKING:
    from nacl.secret import Aead

BLOCK = 2**20
"""The number of bytes that are encrypted at a time."""
SIZE_BYTES = 4
MAX_SEALED = 2 * BLOCK
"""The most bytes of a block in the file: compressed data is hardly larger than the data."""


class NoSealError(PillarbookError):
    """The library that encrypts is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "parts of a report are encrypted, and PyNaCl is not installed; run:"
            " pip install 'pillarbook[nacl]'"
        )


class BrokenSealError(Exception):
    """The stream is not as it was written."""


def open_seal(key: bytes) -> "Aead":
    """Return what encrypts and decrypts.

    Raises:
        NoSealError: PyNaCl is not installed.
    """
    try:
        from nacl.secret import Aead  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise NoSealError from error
    return Aead(key)


class SealedWriter:
    """Writes a stream; ``close`` writes its end.

    The key has 32 bytes; ``head`` is that of the file, which the stream belongs to.
    """

    def __init__(self, out: BinaryIO, key: bytes, head: bytes) -> None:
        self._out = out
        self._seal = open_seal(key)
        self._head = head
        self._waiting = bytearray()
        self._count = 0

    def write(self, data: bytes) -> int:
        """Add some bytes."""
        self._waiting += data
        while len(self._waiting) > BLOCK:
            self._write_block(bytes(self._waiting[:BLOCK]), is_last=False)
            del self._waiting[:BLOCK]
        return len(data)

    def close(self) -> None:
        """Write the rest."""
        self._write_block(bytes(self._waiting), is_last=True)

    def _write_block(self, data: bytes, *, is_last: bool) -> None:
        label = _label(self._head, self._count, is_last=is_last)
        sealed = self._seal.encrypt(zlib.compress(data, 1), label)
        self._out.write(len(sealed).to_bytes(SIZE_BYTES, "big") + sealed)
        self._count += 1


class SealedReader:
    """Reads a stream."""

    def __init__(self, file: BinaryIO, key: bytes, head: bytes) -> None:
        self._file = file
        self._seal = open_seal(key)
        self._head = head
        self._waiting = bytearray()
        self._count = 0
        self._has_ended = False

    def read(self, size: int) -> bytes:
        """Return some bytes, fewer only at the end.

        Raises:
            BrokenSealError: The stream is not as it was written.
        """
        while len(self._waiting) < size and not self._has_ended:
            self._waiting += self._read_block()
        data = bytes(self._waiting[:size])
        del self._waiting[:size]
        return data

    def _read_block(self) -> bytes:
        from nacl.exceptions import CryptoError  # noqa: PLC0415 (an extra)

        size = int.from_bytes(self._file.read(SIZE_BYTES), "big")
        sealed = self._file.read(min(size, MAX_SEALED))
        for is_last in (False, True):
            try:
                data = self._seal.decrypt(sealed, _label(self._head, self._count, is_last=is_last))
            except (CryptoError, ValueError):
                continue
            self._count += 1
            self._has_ended = is_last
            if is_last and self._file.read(1):
                break
            return zlib.decompress(data)
        raise BrokenSealError


def _label(head: bytes, number: int, *, is_last: bool) -> bytes:
    return b"%d %d\n" % (number, is_last) + head
