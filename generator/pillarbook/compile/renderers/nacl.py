"""The ``nacl`` renderer: opens values of the form ``NACL[...]``, or leaves them sealed.

Source: Salt ``salt/renderers/nacl.py``.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from pillarbook.compile.renderers.ciphertext import digest_of
from pillarbook.compile.renderers.context import RenderContext, Rendered
from pillarbook.compile.renderers.errors import RenderError
from pillarbook.compile.renderers.gpg import SealedError
from pillarbook.compile.renderers.secret_marks import map_leaves, secret_leaf
from pillarbook.compile.renderers.source_text import SourceText
from pillarbook.model import Leaf

MESSAGE = re.compile(r"^NACL\[(.*)\]$")
REASON = "nacl renderer"
OpenBox: TypeAlias = Callable[[str], bytes]
"""Returns what a message in base64 holds, or raises a ``ValueError``."""


@dataclass(frozen=True, slots=True)
class Nacl:
    """The renderer with the key that it has."""

    open_box: OpenBox | None
    """None leaves messages sealed."""

    def __call__(self, context: RenderContext, data: Rendered, _argline: str) -> Rendered:
        """Return data whose messages are opened, to bytes as in Salt, or marked as secret.

        Raises:
            RenderError: A message cannot be opened.
            SealedError: A text is one message, and cannot be read on before it is opened.
        """
        place = (context.shown, 1)
        if not isinstance(data, SourceText):
            return map_leaves(data, self._open_leaf)
        message = MESSAGE.search(data.text)
        if message is None:
            return data
        if self.open_box is None:
            raise SealedError(place)
        clear = self._open(message.group(1), place)
        return secret_leaf(clear, (context.new_origin(place, clear),), REASON)

    def _open_leaf(self, leaf: Leaf) -> Leaf:
        message = MESSAGE.search(leaf.value) if isinstance(leaf.value, str) else None
        if message is None:
            return leaf
        if self.open_box is None:
            return replace(leaf, secret=leaf.secret or REASON)
        last = leaf.origins[-1]
        clear = self._open(message.group(1), (last.file, last.line))
        return secret_leaf(clear, leaf.origins, REASON, digest_of(leaf.value))

    def _open(self, message: str, place: tuple[str, int | None]) -> bytes:
        assert self.open_box is not None  # noqa: S101 (asked before)
        try:
            return self.open_box(message)
        except ValueError as error:
            raise RenderError(str(error), place, rule="undecryptable") from error
