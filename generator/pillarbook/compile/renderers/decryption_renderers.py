"""Renderers as the option ``decrypt_pillar`` uses them: on a value of the pillar, not on a file.

Salt hands a renderer the value alone. Those that take text take one that is text; a template engine
takes the text for the name of a file. What a renderer makes of a container is put nowhere, unless
the renderer changes the container itself, as ``gpg`` and ``nacl`` do.

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
from pillarbook.compile.renderers.secret_marks import all_leaves, mark_secret
from pillarbook.compile.renderers.source_text import Segment, SourceText
from pillarbook.model import Leaf, Node, Origin

REASON = "decrypt_pillar"
NodeRenderer: TypeAlias = Callable[[Node], Node]
"""Takes the value at a path, gives what is put there."""
OF_TEXT = ("json", "toml", "yaml", "yamlex")
WITHOUT_A_FILE = {
    "msgpack": "a bytes-like object is required, not 'str'",
    "stateconf": "'renderers'",
}
"""What Salt says of those that cannot do without a file."""


@dataclass(frozen=True, slots=True)
class DecryptionRenderers:
    """The renderers that ``decrypt_pillar`` may name."""

    known: Mapping[str, Renderer]
    """The one registry, which refuses code unless the tree is trusted."""
    options: Mapping[str, Any]
    """The master's options."""
    decryptor: Decryptor
    """What opens PGP messages."""
    limits: Limits
    """What one of them may take."""
    reason: str = REASON
    """Why what they give is secret."""

    def find(self, name: Any) -> NodeRenderer | None:
        """Return a renderer; None where there is none of that name."""
        if name == "gpg":
            return lambda node: decrypt_tree(node, self.decryptor, self.reason, mark_all=True)
        if name == "jinja":
            return _find_no_template
        if name in WITHOUT_A_FILE:
            return partial(_fail, WITHOUT_A_FILE[name])
        return partial(self._render, name) if name in self.known else None

    def _render(self, name: str, node: Node) -> Node:
        origin = _origin(node)
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


def _origin(node: Node) -> Origin:
    """Return where a value was given."""
    return (node.origins or next(all_leaves(node)).origins)[-1]


def _fail(words: str, _node: Node) -> Node:
    raise RenderError(words)


def _find_no_template(node: Node) -> Node:
    """Fail as Salt does: a template engine takes a text for the name of a file."""
    if isinstance(node, Leaf) and isinstance(node.value, str):
        error = RenderError(f"[Errno 2] No such file or directory: '{node.value}'")
        error.clean = "the value is taken for the name of a template"
        raise error
    raise RenderError(f"'{name_type(node)}' object has no attribute 'read'")
