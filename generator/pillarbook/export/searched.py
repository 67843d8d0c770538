"""No secret gets into an export: what is written is searched, and then the bytes of the file.

Both are needed. A table's file quotes values, and cuts long ones into pages, so that its bytes may
not hold a secret in one piece; and what surrounds a value is only in the file.
"""

from collections.abc import Iterable, Iterator, Sequence

from pillarbook.export.tables import Cell
from pillarbook.redact.leak_errors import Leak, LeakError
from pillarbook.redact.secret_index import SecretIndex

SAID = "nothing is written"
OVERLAP = 2**16
"""Bytes at the end of a block that are searched with the next one as well."""


class SecretGate:
    """Stops an export that holds a secret.

    Args:
        known: The secrets of the run.
    """

    def __init__(self, known: SecretIndex | None) -> None:
        self._known = known

    def search_rows(self, rows: Iterable[Sequence[Cell]], table: str) -> None:
        """Search the cells of some rows.

        Raises:
            LeakError: A cell holds a secret.
        """
        if self._known is None:
            return
        texts = {cell for row in rows for cell in row if isinstance(cell, str)}
        if texts:
            # A secret may go over lines, but not from one cell to another.
            joined = "\0".join(sorted(texts)).encode("utf-8", "surrogatepass")
            self._search(joined, f"the table {table}")

    def search_blocks(self, blocks: Iterable[bytes], where: str) -> Iterator[bytes]:
        """Yield the blocks of a file that hold no secret, also over their borders.

        Raises:
            LeakError: The file holds a secret.
        """
        before = b""
        for block in blocks:
            data = before + block
            self._search(data, where)
            before = data[-OVERLAP:]
            yield block

    def _search(self, data: bytes, where: str) -> None:
        if self._known is None or not self._known:
            return
        hit = self._known.everything().first(data)
        if hit is not None:
            raise LeakError(SAID, [Leak(where, self._known.key_of(hit.secret_id))])
