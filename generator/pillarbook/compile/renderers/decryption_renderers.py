"""Renderers for the option ``decrypt_pillar``: they get a value of the pillar, and not a file.

Salt passes only the value. Renderers of text accept a text; a template engine takes the text for a
file name. The result for a container is lost, unless the renderer changes the container itself, as
``gpg`` and ``nacl`` do.

Source: Salt ``salt/utils/crypt.py`` (``decrypt``), ``salt/pillar/__init__.py``
(``decrypt_pillar``).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.gpg import decrypt_tree
from pillarbook.compile.renderers.json import name_type
from pillarbook.compile.renderers.render_context import Decryptor, RenderContext, Rendered, Renderer
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.secret_marks import mark_secret
from pillarbook.compile.renderers.source_text import Segment, SourceText
from pillarbook.model import Leaf, Node
from pillarbook.model.tree import all_leaves

REASON = "decrypt_pillar"
NodeRenderer: TypeAlias = Callable[[Node], Node]
"""Takes the value at a path, and returns its replacement."""
OF_TEXT = ("json", "toml", "yaml", "yamlex")
WITHOUT_A_FILE = {
    "msgpack": "a bytes-like object is required, not 'str'",
    "stateconf": "'renderers'",
}
"""Salt's errors for renderers that need a file."""


@dataclass(frozen=True, slots=True)
class DecryptionRenderers:
    """The renderers that ``decrypt_pillar`` may name."""

    known: Mapping[str, Renderer]
    """The registry of renderers, which refuses code unless the tree is trusted."""
    options: Mapping[str, Any]
    """The master's options."""
    decryptor: Decryptor
    """Decrypts PGP messages."""
    limits: Limits
    """The limits of a render."""
    reason: str = REASON
    """Why the results are secret."""

    def find(self, name: Any) -> NodeRenderer | None:
        """Return a renderer; None if it does not exist."""
        if name == "gpg":
            return lambda node: decrypt_tree(node, self.decryptor, self.reason, mark_all=True)
        if name == "jinja":
            return _find_no_template
        if name in WITHOUT_A_FILE:
            return partial(_fail, WITHOUT_A_FILE[name])
        return partial(self._render, name) if name in self.known else None

    def _render(self, name: str, node: Node) -> Node:
        origin = (node.origins or next(all_leaves(node)).origins)[-1]
        context = RenderContext(
            shown=origin.file,
            path=origin.file,
            sls=origin.sls or "",
            saltenv=origin.saltenv or "",
            options=self.options,
            limits=self.limits,
            decryptor=self.decryptor,
        )
        given: Rendered = node
        if name in OF_TEXT and isinstance(node, Leaf) and isinstance(node.value, str):
            given = SourceText(node.value, (Segment(0, origin.file, origin.line, verbatim=False),))
        made = self.known[name](context, given, "")
        if isinstance(made, SourceText):
            made = Leaf(made.text, (origin,))
        return mark_secret(made, self.reason)


def _fail(words: str, _node: Node) -> Node:
    raise RenderError(words)


def _find_no_template(node: Node) -> Node:
    """Fail as Salt does: a template engine takes the text for a file name."""
    if isinstance(node, Leaf) and isinstance(node.value, str):
        error = RenderError(f"[Errno 2] No such file or directory: '{node.value}'")
        error.clean = "the value is taken for the name of a template"
        raise error
    raise RenderError(f"'{name_type(node)}' object has no attribute 'read'")
