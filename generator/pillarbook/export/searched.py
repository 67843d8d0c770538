"""Keeps secrets out of an export: searches the cells, and then the bytes of the file.

Both are necessary. A table's file quotes values, and splits long ones into pages, so a secret may
not be in one piece in its bytes; and text around the values is only in the file.
"""

from collections.abc import Iterable, Iterator, Sequence

from pillarbook.export.tables import Cell
from pillarbook.redact.leak_errors import Leak, LeakError
from pillarbook.redact.secret_index import SecretIndex

SAID = "nothing is written"
OVERLAP = 2**16
"""The number of bytes at the end of a block that are searched with the next one as well."""


class SecretGate:
    """Stops an export that contains a secret."""

    def __init__(self, known: SecretIndex | None) -> None:
        self._known = known

    def search_rows(self, rows: Iterable[Sequence[Cell]], table: str) -> None:
        """Search the cells of some rows.

        Raises:
            LeakError: A cell contains a secret.
        """
        if self._known is None:
            return
        texts = {cell for row in rows for cell in row if isinstance(cell, str)}
        if texts:
            # A secret may have several lines, but not several cells.
            joined = "\0".join(sorted(texts)).encode("utf-8", "surrogatepass")
            self.search(joined, f"the table {table}")

    def search_blocks(self, blocks: Iterable[bytes], where: str) -> Iterator[bytes]:
        """Yield the blocks of a file without a secret, also over their borders.

        Raises:
            LeakError: The file contains a secret.
        """
        before = b""
        for block in blocks:
            data = before + block
            self.search(data, where)
            before = data[-OVERLAP:]
            yield block

    def search(self, data: bytes, where: str) -> None:
        """Search a whole text.

        Raises:
            LeakError: The text contains a secret.
        """
        if self._known is None or not self._known:
            return
        hit = self._known.everything().first(data)
        if hit is not None:
            raise LeakError(SAID, [Leak(where, self._known.key_of(hit.secret_id))])
