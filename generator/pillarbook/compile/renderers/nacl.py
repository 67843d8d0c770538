"""The ``nacl`` renderer: decrypts values of the form ``NACL[...]``, or leaves them sealed.

Source: Salt ``salt/renderers/nacl.py``.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from pillarbook.compile.renderers.ciphertext import digest_of
from pillarbook.compile.renderers.gpg import SealedError
from pillarbook.compile.renderers.render_context import RenderContext, Rendered
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.secret_marks import map_leaves, secret_leaf
from pillarbook.compile.renderers.source_text import SourceText
from pillarbook.model import Leaf

MESSAGE = re.compile(r"^NACL\[(.*)\]$")
REASON = "nacl renderer"
OpenBox: TypeAlias = Callable[[str], bytes]
"""Returns the clear text of a message in base64; raises ``ValueError``."""


@dataclass(frozen=True, slots=True)
class Nacl:
    """The renderer with the key that it has."""

    open_box: OpenBox | None
    """Decrypts messages; None leaves them sealed."""

    def __call__(self, context: RenderContext, data: Rendered, _argline: str) -> Rendered:
        """Return data with decrypted messages, as bytes like in Salt, or marked as secret.

        Raises:
            RenderError: A message cannot be decrypted.
            SealedError: A text is one message, and cannot be parsed without decryption.
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
