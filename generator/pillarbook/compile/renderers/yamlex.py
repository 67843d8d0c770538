"""The ``yamlex`` renderer: YAML whose repeated keys merge, by the tag ``!aggregate``.

Source: Salt ``salt/renderers/yamlex.py``.
"""

import yaml

from pillarbook.compile.limits import Limits
from pillarbook.compile.merge.freeze import freeze
from pillarbook.compile.merge.mirror import Box, Content, ListPlace, MapPlace
from pillarbook.compile.renderers.context import RenderContext, Rendered
from pillarbook.compile.renderers.errors import LimitExceeded, RenderError
from pillarbook.compile.renderers.source_text import Line, SourceText
from pillarbook.compile.renderers.yaml import find_remedy
from pillarbook.compile.renderers.yaml_loader import refuse_nesting, too_deep
from pillarbook.compile.renderers.yamlex_loader import YamlexLoader
from pillarbook.model import Leaf, MapNode, Node

NOT_TEXT = "a string or stream input is required"
SCANNER_ERROR = "Unknown yaml render error"
"""Salt knows one scanner error, in words that libyaml never says, and keeps all others back."""


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
        _Scales(context.limits, start).weigh(content)
        return freeze(content)
    except RecursionError as error:
        raise RenderError(str(error), start, rule="yaml-error") from error


def _load(context: RenderContext, data: SourceText) -> Content | None:
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


class _Scales:
    """Counts nodes through aliases."""

    def __init__(self, limits: Limits, place: Line) -> None:
        self._limits = limits
        self._place = place
        self._known: dict[Box, int] = {}
        self._open: set[Box] = set()

    def weigh(self, content: Content) -> int:
        """Return how many nodes a content has.

        Raises:
            LimitExceeded: Too many, or too deep ones.
            RecursionError: A list that holds itself.
        """
        if not isinstance(content, MapPlace | ListPlace):
            return 1
        box = content.box
        if box in self._open:
            raise RecursionError("maximum recursion depth exceeded")
        weight = self._known.get(box)
        if weight is None:
            self._open.add(box)
            if len(self._open) > self._limits.levels:
                raise too_deep(self._limits, self._place)
            below = content.items.values() if isinstance(content, MapPlace) else content.items
            weight = self._known[box] = 1 + sum(map(self.weigh, below))
            self._open.discard(box)
        if weight > self._limits.nodes:
            raise LimitExceeded(
                f"the YAML has more than {self._limits.nodes:,} nodes, aliases counted", self._place
            )
        return weight
