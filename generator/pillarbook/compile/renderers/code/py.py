"""The ``py`` renderer: a module whose function ``run`` returns the data.

It reads the file itself, so the result of an earlier renderer is lost.

Source: Salt ``salt/renderers/py.py``, ``salt/utils/templates.py`` (``py``).
"""

import posixpath
from types import ModuleType
from typing import Any

from pillarbook.compile.renderers.code.code_globals import CodeGlobals
from pillarbook.compile.renderers.code.custom import Renderers
from pillarbook.compile.renderers.code.running import (
    compile_code,
    places_for,
    run_code,
    take_constants,
    take_result,
)
from pillarbook.compile.renderers.render_context import RenderContext, Rendered
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.source_text import SourceText
from pillarbook.compile.renderers.yamlex_names import as_salt_gives


def render(context: RenderContext, _data: Rendered, argline: str) -> Rendered:
    """Return the result of ``run``.

    Raises:
        RenderError: The module cannot be loaded, or ``run`` raises an exception.
    """
    if "tmplpath" in context.defaults:
        raise RenderError(f"Template {context.defaults['tmplpath']} is not a file!")
    given = CodeGlobals.to(context)
    take_constants(context, context.content)
    module = ModuleType(posixpath.basename(context.path).split(".")[0])
    module.__file__ = context.path
    run_code(context, given, lambda: _load(module, context), named=False)
    # Only now, as in Salt: code outside of functions cannot read them.
    vars(module).update(_variables(context, given, argline))
    result = run_code(context, given, lambda: module.run())  # noqa: PLW0108 (there may be none)
    source = SourceText.of_file(context.content, context.shown)
    places = places_for(context, source, _find_line(module, context.path))
    return take_result(result, context, given, places, source)


def _load(module: ModuleType, context: RenderContext) -> None:
    exec(compile_code(context.content, context.path), vars(module))  # noqa: S102 (it is trusted)


def _variables(context: RenderContext, given: CodeGlobals, argline: str) -> dict[str, Any]:
    own = {
        **given.dunders(),
        "salt": given.salt,
        "grains": given.grains,
        "opts": given.opts,
        "pillar": given.pillar,
        "__env__": as_salt_gives(context.saltenv),
        "saltenv": as_salt_gives(context.saltenv),
        "__sls__": context.sls,
        "sls": context.sls,
    }
    taken = next((name for name in context.defaults if name in own), None)
    if taken is not None:
        words = f"got multiple values for keyword argument '{taken}'"
        raise RenderError(f"salt.utils.templates.py() {words}")
    taken = next((name for name in context.defaults if name in ("sfn", "string")), None)
    if taken is not None:
        raise RenderError(f"py() got multiple values for argument '{taken}'")
    variables = {
        **own,
        "renderers": Renderers(context),
        **({"_pillar_rend": True} if context.is_pillar else {}),
        **context.defaults,
    }
    if argline:
        variables["argline"] = argline
    return variables


def _find_line(module: ModuleType, path: str) -> int:
    """Return the first line of ``run``; the first line of the file if ``run`` is imported."""
    code = getattr(module.run, "__code__", None)
    return code.co_firstlineno if code is not None and code.co_filename == path else 1
