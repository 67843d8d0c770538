"""The ``stateconf`` renderer: runs a template and a data renderer, and rewrites the data.

It is made for states, whose ids it renames and orders; it processes pillar data in the same way.

Source: Salt ``salt/renderers/stateconf.py``.
"""

import getopt
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pillarbook.compile.renderers.json import name_type
from pillarbook.compile.renderers.python_data import ValuePlaces, from_python, to_python
from pillarbook.compile.renderers.render_context import RenderContext, Rendered, Renderer
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.source_text import SourceText
from pillarbook.compile.renderers.stateconf_states import (
    REFUSALS,
    Rewriter,
    StateconfError,
    extract_conf,
)
from pillarbook.model import Node

END_MARKER = re.compile(r"#\s*-+\s*end of state config\s*-+")
DOT = re.compile(r"\s+(?<!\\)\.\s+")
"""The text between the data renderer and the template renderer."""
FAILED = "sls preprocessing/rendering failed!"
USAGE = "Invalid use of stateconf.py renderer!"


def render(context: RenderContext, data: Rendered, argline: str) -> Node:
    """Return the rewritten result of the renderers in the arguments.

    Raises:
        RenderError: With Salt's words.
    """
    try:
        options, words = getopt.getopt(argline.split(), "Gosp")
    except getopt.GetoptError as error:
        raise RenderError(str(error), (context.shown, 1), foreign=True) from error
    flags = {option for option, _ in options}
    if "-p" in flags:
        if isinstance(data, SourceText):
            raise RenderError(FAILED, (context.shown, 1))
        return _rewrite(context, data, flags, extract=False)[0]
    inner = _Inner(context, " ".join(words) or "yaml . jinja", ordered="-o" in flags)
    if not isinstance(data, SourceText):
        raise RenderError(f"'{name_type(data)}' object has no attribute 'read'", foreign=True)
    conf: dict[str, Any] = {}
    end = END_MARKER.search(data.text)
    if end is not None:
        before = tuple(one for one in data.segments if one.start < max(end.start(), 1))
        head = SourceText(data.text[: end.start()], before)
        conf = _rewrite(context, inner.render(head, {}), flags, extract=True)[1]
    return _rewrite(context, inner.render(data, conf), flags, extract=False)[0]


class _Inner:
    """The data renderer and the template renderer in the arguments."""

    def __init__(self, context: RenderContext, argline: str, *, ordered: bool) -> None:
        self._context = context
        parts = [part.strip().replace("\\.", ".") for part in DOT.split(argline, maxsplit=1)]
        name, self._data_words, self._data = self._find(parts[0])
        if ordered:
            if name != "yaml":
                message = "Implicit ordering is only supported if the yaml renderer is used!"
                raise RenderError(message, (context.shown, 1))
            self._data_words = f"-o {self._data_words}"
        if len(parts) < 2:
            raise RenderError(USAGE, (context.shown, 1))
        _, self._template_words, self._template = self._find(parts[1])

    def _find(self, words: str) -> tuple[str, str, Renderer]:
        name, _, argline = words.partition(" ")
        known = self._context.renderers.get(name)
        if known is None:
            raise RenderError(f"Renderer: '{name}' is not available!", (self._context.shown, 1))
        return name, argline.strip(), known

    def render(self, data: SourceText, conf: Mapping[str, Any]) -> Node:
        """Return the data of a text; its template can read the configuration so far."""
        sls = self._context.sls
        folder = sls.rpartition(".")[0].replace(".", "/") if "." in sls else sls
        prefix = f"{sls}::"
        seen = {key.removeprefix(prefix): value for key, value in conf.items()}
        context = replace(
            self._context, defaults={**self._context.defaults, "sls_dir": folder or ".", **seen}
        )
        text = self._template(context, data, self._template_words)
        made = self._data(self._context, text, self._data_words)
        if isinstance(made, SourceText):
            raise RenderError(FAILED, (context.shown, 1))
        return made


def _rewrite(
    context: RenderContext, tree: Node, flags: set[str], *, extract: bool
) -> tuple[Node, dict[str, Any]]:
    """Return a tree as the renderer returns it, and the configuration in it."""
    data = to_python(tree)
    rewriter = Rewriter(context.sls, context.saltenv)
    try:
        rewriter.prepare(data)
        if not extract and "-o" in flags:
            rewriter.order(data)
        if "-s" in flags:
            rewriter.add_start(data)
        if not extract and "-G" not in flags:
            rewriter.add_goal(data)
        moved = rewriter.rename(data)
        conf = extract_conf(data)
    except StateconfError as error:
        raise RenderError(str(error), (context.shown, 1)) from error
    except REFUSALS as error:
        raise RenderError(FAILED, (context.shown, 1)) from error
    places = ValuePlaces(context.new_origin((context.shown, 1), None), tree, moved)
    return from_python(data, places, context.limits), conf
