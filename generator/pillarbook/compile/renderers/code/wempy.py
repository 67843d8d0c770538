"""The ``wempy`` renderer, which Salt has removed; only if a configuration names it.

Source: Salt ``salt/utils/templates.py`` (``render_wempy_tmpl``).
"""

from pillarbook.compile.renderers.code.code_globals import CodeGlobals
from pillarbook.compile.renderers.code.running import map_lines, run_code
from pillarbook.compile.renderers.json import name_type
from pillarbook.compile.renderers.render_context import RenderContext, Rendered
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.source_text import SourceText
from pillarbook.compile.renderers.template_variables import template_variables


def render(context: RenderContext, data: Rendered, _argline: str) -> SourceText:
    """Return the text of a template.

    Raises:
        RenderError: The template is invalid, raises an exception, or the package is not installed.
    """
    if not isinstance(data, SourceText):
        raise RenderError(f"'{name_type(data)}' object has no attribute 'read'")
    try:
        from wemplate.wemplate import TemplateParser  # noqa: PLC0415 (few trees need it)
    except ImportError as error:
        missing = RenderError(
            "The package 'wempy' is not installed", (context.shown, 1), rule="unsupported-renderer"
        )
        missing.help = "install it: pip install 'pillarbook[wempy]'"
        raise missing from error
    given = CodeGlobals.to(context)
    variables = template_variables(context, given)
    text = run_code(context, given, lambda: TemplateParser(data.text).render(**variables))
    given.ledger.settle()
    return map_lines(str(text), data, context.shown)
