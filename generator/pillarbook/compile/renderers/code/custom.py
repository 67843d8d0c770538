"""Renderers in the tree: modules with a function ``render``.

Source: Salt ``salt/loader/__init__.py`` (``render``), ``salt/loader/lazy.py``, ``salt/template.py``
(``compile_template``).
"""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from pillarbook.compile.renderers.code.code_globals import CodeGlobals
from pillarbook.compile.renderers.code.loading import load_module
from pillarbook.compile.renderers.code.outline import ModuleFile
from pillarbook.compile.renderers.code.running import (
    as_input,
    map_lines,
    places_for,
    run_code,
    take_result,
)
from pillarbook.compile.renderers.python_data import ValuePlaces, from_python
from pillarbook.compile.renderers.render_context import RenderContext, Rendered, Renderer
from pillarbook.compile.renderers.render_errors import RenderError, UnknownRendererError
from pillarbook.compile.renderers.source_text import SourceText

HELP = "to run it, use `python: true` with --trust, or --python"


def refuse_code(name: str) -> Renderer:
    """Return a replacement for a renderer that runs code; it only reports why not."""

    def refuse(context: RenderContext, _data: Rendered, _argline: str) -> Rendered:
        error = RenderError(
            f"The renderer '{name}' runs code of the tree, which is not allowed",
            (context.shown, 1),
            rule="unsupported-renderer",
        )
        error.help = HELP
        raise error

    return refuse


def custom_renderers(modules: Iterable[ModuleFile], *, python: bool) -> dict[str, Renderer]:
    """Return the renderers in files of the tree, by their possible names.

    The first file of a name counts.
    """
    found: dict[str, Renderer] = {}
    for module in modules:
        for name in sorted(module.names):
            made = partial(_run_render, name, module) if python else refuse_code(name)
            found.setdefault(name, made)
    return found


def _run_render(
    name: str, module: ModuleFile, context: RenderContext, data: Rendered, argline: str
) -> Rendered:
    """Run a module's ``render``.

    The module is loaded again for each render, so that it keeps nothing of another minion.
    """
    given = CodeGlobals.to(context)
    dunders = {"__context__": {}, **given.dunders()}

    def call() -> Any:
        loaded = load_module(module, dunders)
        if loaded is None or name not in loaded.names or "render" not in loaded.functions:
            raise UnknownRendererError(name)
        options = _options(context, argline)
        return loaded.functions["render"](as_input(data), context.saltenv, context.sls, **options)

    result = run_code(context, given, call, named=False)
    return take_result(result, context, given, places_for(context, data, None), data)


def _options(context: RenderContext, argline: str) -> dict[str, Any]:
    options: dict[str, Any] = {
        "renderers": Renderers(context),
        "tmplpath": context.path,
        "_pillar_rend": True,
        **context.defaults,
    }
    if argline:
        options["argline"] = argline
    return options


class Renderers(Mapping[str, Any]):
    """The other renderers, which code of the tree may call."""

    def __init__(self, context: RenderContext) -> None:
        self._context = context

    def __iter__(self) -> Any:
        return iter(self._context.renderers)

    def __len__(self) -> int:
        return len(self._context.renderers)

    def __getitem__(self, name: str) -> Any:
        renderer = self._context.renderers[name]

        def call(data: Any, _saltenv: str = "base", _sls: str = "", **options: Any) -> Any:
            made = renderer(self._context, self._take(data), options.get("argline", ""))
            return as_input(made)

        return call

    def _take(self, data: Any) -> Rendered:
        text = data.read() if hasattr(data, "read") else data
        if isinstance(text, str):
            source = SourceText.of_file(self._context.content, self._context.shown)
            return map_lines(text, source, self._context.shown)
        places = ValuePlaces(self._context.new_origin((self._context.shown, None), None))
        return from_python(text, places, self._context.limits)
