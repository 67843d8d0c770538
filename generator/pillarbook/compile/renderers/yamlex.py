"""The ``yamlex`` renderer: YAML with the tag ``!aggregate``, which merges duplicate keys.

Source: Salt ``salt/renderers/yamlex.py``.
"""

import yaml

from pillarbook.compile.merge.freeze import freeze
from pillarbook.compile.merge.mutable_nodes import NodeOrSlot
from pillarbook.compile.renderers.node_counter import NodeCounter
from pillarbook.compile.renderers.render_context import RenderContext, Rendered
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.source_text import Line, SourceText
from pillarbook.compile.renderers.yaml import find_remedy
from pillarbook.compile.renderers.yaml_loader import refuse_nesting
from pillarbook.compile.renderers.yamlex_loader import YamlexLoader
from pillarbook.model import Leaf, MapNode, Node

NOT_TEXT = "a string or stream input is required"
SCANNER_ERROR = "Unknown yaml render error"
"""Salt's text for scanner errors; Salt knows only one, which libyaml never reports."""


def render(context: RenderContext, data: Rendered, _argline: str) -> Node:
    """Return the tree of a document; an empty or falsy one is an empty mapping.

    Raises:
        RenderError: With Salt's words.
        LimitExceeded: Too many nodes.
    """
    if not isinstance(data, SourceText):
        raise RenderError(NOT_TEXT)
    refuse_nesting(data, context.limits)
    content = _load(context, data)
    if content is None or not (content.value if isinstance(content, Leaf) else content.items):
        return MapNode({}, (context.new_origin(data.locate(0), {}),), kind="plain")
    start = data.locate(0)
    try:
        NodeCounter(context.limits, start, "YAML").count(content)
        return freeze(content)
    except RecursionError as error:
        raise RenderError(str(error), start, rule="yaml-error") from error


def _load(context: RenderContext, data: SourceText) -> NodeOrSlot | None:
    loader = None
    try:
        loader = YamlexLoader(data, context.new_origin)
        return loader.load()
    except yaml.scanner.ScannerError as error:
        worded = RenderError(SCANNER_ERROR, _place(data, error), rule="yaml-error")
        worded.help = find_remedy(data, error)
        raise worded from error
    except yaml.YAMLError as error:
        raise RenderError(str(error), _place(data, error), rule="yaml-error") from error
    except (ArithmeticError, AttributeError, LookupError, RecursionError) as error:
        raise RenderError(str(error), _stopped_at(data, loader), rule="yaml-error") from error
    except (TypeError, ValueError) as error:  # a number, a date or a tag that is none
        raise RenderError(str(error), _stopped_at(data, loader), rule="yaml-error") from error
    finally:
        if loader is not None:
            loader.dispose()


def _place(data: SourceText, error: yaml.YAMLError) -> Line:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    offset = mark.index if mark is not None else getattr(error, "position", 0)
    return data.locate(min(offset, max(len(data.text) - 1, 0)))


def _stopped_at(data: SourceText, loader: YamlexLoader | None) -> Line:
    return data.locate(0 if loader is None else loader.offset)
