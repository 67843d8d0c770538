"""The ``msgpack`` renderer, which always fails: Salt passes text to a reader of bytes.

Source: Salt ``salt/renderers/msgpack.py``, ``salt/template.py`` (``compile_template``).
"""

from typing import NoReturn

from pillarbook.compile.renderers.json import name_type
from pillarbook.compile.renderers.render_context import RenderContext, Rendered
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.source_text import SourceText
from pillarbook.model import MapNode

HELP = "write the SLS as JSON or YAML: Salt reads every SLS as text, which msgpack is not"


def render(context: RenderContext, data: Rendered, _argline: str) -> MapNode:
    """Return an empty mapping for an empty text.

    Raises:
        RenderError: For any other text, in Salt's words.
    """
    if not isinstance(data, SourceText):
        raise RenderError(f"'{name_type(data)}' object has no attribute 'read'", foreign=True)
    first = data.text.find("\n") + 1 if data.text.startswith("#!") else 0
    if data.text[first:].strip():
        _refuse(context)
    return MapNode({}, (context.new_origin(data.locate(0), {}),), kind="plain")


def _refuse(context: RenderContext) -> NoReturn:
    error = RenderError(
        "a bytes-like object is required, not 'str'", (context.shown, 1), foreign=True
    )
    error.help = HELP
    raise error
