"""The ``nacl`` renderer: opens values of the form ``NACL[...]``, or leaves them sealed.

Source: Salt ``salt/renderers/nacl.py``, ``salt/utils/nacl.py``.
"""

import re
from dataclasses import replace

from pillarbook.compile.renderers.context import RenderContext, Rendered
from pillarbook.compile.renderers.gpg import SealedError
from pillarbook.compile.renderers.secret_marks import map_leaves
from pillarbook.compile.renderers.source_text import SourceText
from pillarbook.model import Leaf

MESSAGE = re.compile(r"^NACL\[(.*)\]$")
REASON = "nacl renderer"


def render(context: RenderContext, data: Rendered, _argline: str) -> Rendered:
    """Return data whose messages are marked as secret.

    Raises:
        SealedError: A text is one message, and cannot be read on before it is opened.
    """
    if isinstance(data, SourceText):
        if MESSAGE.search(data.text):
            raise SealedError((context.shown, 1))
        return data
    return map_leaves(data, _seal)


def _seal(leaf: Leaf) -> Leaf:
    is_message = isinstance(leaf.value, str) and MESSAGE.search(leaf.value)
    return replace(leaf, secret=leaf.secret or REASON) if is_message else leaf
