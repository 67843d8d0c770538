"""Renders inside of a render, with ``slsutil.renderer``.

They use the same registry of renderers, so renderers that must not run do not run here, either.

Source: Salt ``salt/modules/slsutil.py`` (``renderer``), ``salt/template.py``
(``compile_template``).
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.reads import Trace
from pillarbook.compile.remarks import read_clock
from pillarbook.compile.renderers.ciphertext import holds_message
from pillarbook.compile.renderers.jinja.function_errors import SaltFunctionError
from pillarbook.compile.renderers.jinja.render import Environments, TemplateView
from pillarbook.compile.renderers.pipe import run_pipe
from pillarbook.compile.renderers.python_data import to_python
from pillarbook.compile.renderers.render_context import RenderContext
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.yamlex_names import data_in
from pillarbook.compile.tree_access import TreeAccess
from pillarbook.model import Leaf, SecretOrigin
from pillarbook.model.tree import all_leaves

STRING = ":string:"
"""Salt's name for a template that is not a file."""
UNKNOWN = "unknown-renderer"
DEEPEST = 20
"""The most renders inside of each other; in Salt, Python's limit of recursion ends them."""


class Rendering(NamedTuple):
    """The result of a render."""

    data: Any
    """Plain data."""
    secret: str | None = None
    """Why some of it is secret; None if nothing is."""
    is_opened_text: bool = False
    """Whether text was decrypted before it was parsed, so that any of it may be secret."""


class NestedRenders:
    """Renders files and texts for the templates of one render."""

    def __init__(
        self,
        view: MinionView,
        trace: Trace | None,
        trees: TreeAccess,
        remark: Callable[[str], None],
    ) -> None:
        self._view = view
        self._trace = trace
        self._trees = trees
        self._remark = remark
        self._depth = 0

    def render_text(self, text: str, pipe: str, options: Mapping[str, Any], salt: Any) -> Rendering:
        """Render a text.

        ``options`` are ``saltenv``, ``sls`` and ``context``; all others are variables.

        Raises:
            RenderError: It cannot be rendered; an error in the text itself has no position.
            SaltFunctionError: Too many renders are inside of each other.
        """
        try:
            return self._run(text.encode(), STRING, STRING, (pipe, options, salt))
        except RenderError as error:
            if error.place is not None and error.place[0] == STRING:
                error.place = None
            raise

    def render_path(self, path: str, pipe: str, options: Mapping[str, Any], salt: Any) -> Rendering:
        """Render the file at a full path like ``render_text``; an empty mapping if it is missing.

        Raises:
            OutsideTreesError: The path must not be read.
            RenderError: It cannot be rendered.
            SaltFunctionError: Too many renders are inside of each other.
        """
        found = self._trees.find(path)
        if found is None:
            return Rendering({})
        return self._run(found.content, found.shown, path, (pipe, options, salt))

    def _run(
        self, content: bytes, shown: str, path: str, given: tuple[str, Mapping[str, Any], Any]
    ) -> Rendering:
        if self._depth >= DEEPEST:
            raise SaltFunctionError("Renders go on inside of each other without an end")
        self._depth += 1
        try:
            context = self._new_context(shown, path, given)
            tree, used = run_pipe(content, context, context.renderers)
        finally:
            self._depth -= 1
        if used.unknown:
            self._remark(UNKNOWN)
        secret = [leaf for leaf in all_leaves(tree) if leaf.secret]
        data, named = data_in(tree, to_python(tree)), self._trees.named
        return Rendering(
            data if named is None else named.take_data((), data),
            next((leaf.secret for leaf in secret), None),
            is_opened_text=not all(map(_is_by_itself, secret)),
        )

    def _new_context(
        self, shown: str, path: str, given: tuple[str, Mapping[str, Any], Any]
    ) -> RenderContext:
        view, trees = self._view, self._trees
        pipe, options, salt = given
        variables = dict(options)
        more = variables.pop("context", None) or {}
        template = TemplateView(
            grains=view.view("grains", self._trace),
            pillar=view.view("pillar", self._trace),
            opts=view.view("master_opts", self._trace),
            salt=salt,
            environments=self._view.remembered.derive(("nested", self._depth), Environments),
            find_import=trees.find_state,
            now=partial(read_clock, view.project.clock, self._remark),
            find_state=trees.find_state,
            trees=trees,
            named=trees.named,
        )
        return RenderContext(
            shown=shown,
            path=path,
            sls=str(variables.pop("sls", "")),
            saltenv=str(variables.pop("saltenv", "base")),
            options={**view.scope.options.values, "renderer": pipe},
            limits=view.project.limits,
            decryptor=view.project.decryptor,
            template=template,
            defaults={**variables, **more},
            renderers=view.project.renderers,
            is_pillar=False,
        )


def _is_by_itself(leaf: Leaf) -> bool:
    """Say whether a secret value is a whole message, decrypted or not."""
    opened = (one.ciphertext for one in leaf.origins[-1:] if isinstance(one, SecretOrigin))
    return holds_message(leaf.value) or next(opened, None) is not None
