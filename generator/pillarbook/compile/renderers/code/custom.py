"""Renderers of the tree's own: modules with a function ``render``.

Source: Salt ``salt/loader/__init__.py`` (``render``), ``salt/loader/lazy.py``,
``salt/template.py`` (``compile_template``).
"""

import ast
import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pillarbook.compile.renderers.code.given import Given
from pillarbook.compile.renderers.code.running import (
    as_input,
    compile_code,
    map_lines,
    places_for,
    run_code,
    take_result,
)
from pillarbook.compile.renderers.context import RenderContext, Rendered, Renderer
from pillarbook.compile.renderers.errors import RenderError
from pillarbook.compile.renderers.python_data import Places, from_python
from pillarbook.compile.renderers.source_text import SourceText
from pillarbook.roots import Found

HELP = "python: true with --trust, or --python, runs it"


def refuse_code(name: str) -> Renderer:
    """Return what stands for a renderer that runs code, where none may run."""

    def refuse(context: RenderContext, _data: Rendered, _argline: str) -> Rendered:
        error = RenderError(
            f"The renderer '{name}' runs code of the tree, which is off",
            (context.shown, 1),
            rule="unsupported-renderer",
        )
        error.help = HELP
        raise error

    return refuse


def custom_renderers(modules: Iterable[Found], *, python: bool) -> dict[str, Renderer]:
    """Return the renderers that files of the tree hold, by the names that Salt gives them.

    Args:
        modules: The files.
        python: Whether their code may run.
    """
    found: dict[str, Renderer] = {}
    for module in modules:
        stem = posixpath.basename(module.path).removesuffix(".py")
        text = module.content.decode("utf-8", "replace")
        name = find_virtual_name(text) or stem
        found[name] = _CustomRenderer(module, text) if python else refuse_code(name)
    return found


def find_virtual_name(text: str) -> str | None:
    """Return the name that a module gives itself, read without running it."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for statement in tree.body:
        match statement:
            case ast.Assign(
                targets=[ast.Name(id="__virtualname__")], value=ast.Constant(value=str(name))
            ):
                return name
            case _:
                continue
    return None


@dataclass(frozen=True, slots=True)
class _CustomRenderer:
    """One module; it is loaded anew for each render, so that none sees another's minion."""

    module: Found
    """The file."""
    text: str
    """Its text."""

    def __call__(self, context: RenderContext, data: Rendered, argline: str) -> Rendered:
        """Run the module's ``render``."""
        given = Given.to(context)
        names: dict[str, Any] = {
            "__name__": posixpath.basename(self.module.path).removesuffix(".py"),
            "__file__": self.module.full,
            "__context__": {},
            **given.dunders(),
        }
        code = run_code(
            context, given, lambda: compile_code(self.text, self.module.full), named=False
        )

        def call() -> Any:
            exec(code, names)  # noqa: S102 (it is trusted)
            options = _options(context, argline)
            return names["render"](as_input(data), context.saltenv, context.sls, **options)

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
    """The other renderers, as code of the tree calls them."""

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
        places = Places(self._context.new_origin((self._context.shown, None), None))
        return from_python(text, places, self._context.limits)
