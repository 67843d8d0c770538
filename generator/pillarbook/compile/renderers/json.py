"""The ``json`` renderer.

Source: Salt ``salt/renderers/json.py``.
"""

import json
import re
from typing import Any

from pillarbook.compile.merge.replace import replace
from pillarbook.compile.renderers.render_context import RenderContext, Rendered
from pillarbook.compile.renderers.render_errors import LimitExceeded, RenderError
from pillarbook.compile.renderers.secret_marks import secret_leaf
from pillarbook.compile.renderers.source_text import SourceText
from pillarbook.compile.renderers.yaml_loader import too_deep
from pillarbook.model import Leaf, ListNode, MapNode, Node, Origin

TOKEN = re.compile(r'[][{}:,]|"(?:[^"\\]|\\.)*"|[^][{}:,"\s]+', re.DOTALL)
"""A token of a text that is known to be JSON."""


def render(context: RenderContext, data: Rendered, _argline: str) -> Node:
    """Return the tree of a JSON document; blank text is an empty mapping.

    Raises:
        RenderError: With the words of Python's ``json``.
        LimitExceeded: Too many nodes, or too deep ones.
    """
    if not isinstance(data, SourceText):
        raise RenderError(f"'{name_type(data)}' object has no attribute 'read'", foreign=True)
    skipped = data.text.find("\n") + 1 if data.text.startswith("#!") else 0
    text = data.text[skipped:]
    if not text.strip():
        return MapNode({}, (context.new_origin(data.locate(0), {}),), kind="plain")
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        place = data.locate(skipped + min(error.pos, len(text) - 1))
        raise RenderError(str(error), place, rule="json-error", foreign=True) from error
    except (ValueError, RecursionError) as error:
        raise RenderError(
            str(error), data.locate(skipped), rule="json-error", foreign=True
        ) from error
    return _Reader(context, data, skipped).read()


def name_type(node: Node) -> str:
    """Return Python's name for the type of a tree in Salt."""
    if isinstance(node, Leaf):
        return type(node.value).__name__
    if isinstance(node, ListNode):
        return "list" if node.kind == "plain" else "AggregatedSequence"
    names = {"ordered": "collections.OrderedDict", "sls": "SLSMap", "aggregate": "AggregatedMap"}
    return names.get(node.kind, "dict")


class _Reader:
    """Turns valid JSON into a tree whose leaves know their lines."""

    def __init__(self, context: RenderContext, source: SourceText, start: int) -> None:
        self._context = context
        self._limits = context.limits
        self._source = source
        found = TOKEN.finditer(source.text, start)
        self._words = ((match.group(), match.start()) for match in found)
        self._hides = bool(source.secret_stretches())
        self._count = 0
        self._level = 0

    def read(self) -> Node:
        """Return the tree of the whole text."""
        try:
            return self._read_value(*next(self._words))
        except RecursionError as error:
            message = "maximum recursion depth exceeded"
            raise RenderError(
                message, self._source.locate(0), rule="json-error", foreign=True
            ) from error

    def _read_value(self, word: str, offset: int, key_offset: int | None = None) -> Node:
        """Return a value; a container begins at its key."""
        begin = offset if key_offset is None else key_offset
        if word in "{[":
            self._level += 1
            if self._level > self._limits.levels:
                raise too_deep(self._limits, self._source.locate(offset))
            made = self._read_object(begin) if word == "{" else self._read_array(begin)
            self._level -= 1
            return made
        value, secret = json.loads(word), None
        if self._hides and value is not None:
            secret = self._source.secret_at(offset, offset + len(word))
        origins = (self._locate(offset, value),)
        return Leaf(value, origins) if secret is None else secret_leaf(value, origins, secret)

    def _read_object(self, offset: int) -> MapNode:
        origin = self._locate(offset, {})
        items: dict[Any, Node] = {}
        for word, key_offset in self._words:
            if word == "}":
                break
            if word == ",":
                continue
            key = json.loads(word)
            next(self._words)  # the colon
            item = self._read_value(*next(self._words), key_offset)
            # Of equal keys, the last value counts, at the position of the first.
            items[key] = replace(items[key], item) if key in items else item
        return MapNode(items, (origin,), kind="plain")

    def _read_array(self, offset: int) -> ListNode:
        origin = self._locate(offset, [])
        items: list[Node] = []
        for word, place in self._words:
            if word == "]":
                break
            if word != ",":
                items.append(self._read_value(word, place))
        return ListNode(tuple(items), (origin,))

    def _locate(self, offset: int, value: Any) -> Origin:
        place = self._source.locate(offset)
        self._count += 1
        if self._count > self._limits.nodes:
            raise LimitExceeded(f"the JSON has more than {self._limits.nodes:,} nodes", place)
        return self._context.new_origin(place, value)
