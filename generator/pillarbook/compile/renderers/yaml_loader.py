"""Loads YAML documents by Salt's rules, as trees whose leaves have lines."""

from collections.abc import Callable
from typing import Any

import yaml

from pillarbook.compile.limits import Limits
from pillarbook.compile.renderers.render_errors import LimitExceeded
from pillarbook.compile.renderers.secret_marks import mark_secret
from pillarbook.compile.renderers.source_text import Line, SourceText
from pillarbook.compile.renderers.yaml_nodes import Drafts, Loader
from pillarbook.compile.renderers.yaml_scalars import SaltLoader
from pillarbook.model import Leaf, ListNode, MapNode, Node, Origin, grow
from pillarbook.model.tree import MapKind

_HARMLESS = 1000
"""The depth that is always safe for the composer; its stack allows about twenty thousand."""
_STRUCTURE = " \t-?:"
"""The first characters of lines that open blocks; each level of a block is a column to the
right."""

NewOrigin = Callable[[Line, Any], Origin]
"""Returns the origin of a value at a position: ``((file, line), value)``."""


class BadValueError(ValueError):
    """A scalar does not fit its tag; in Python's words, which Salt passes on."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset
        """The index of its first character."""


def load_tree(
    source: SourceText,
    new_origin: NewOrigin,
    limits: Limits,
    *,
    kind: MapKind = "ordered",
    loader_class: type[Loader] = SaltLoader,
    sendable: bool = True,
) -> Node | None:
    """Return a document as a tree; None for an empty one.

    ``limits`` count nodes with aliases expanded. ``loader_class`` has the rules: Salt's, or
    PyYAML's own. If ``sendable``, each value must be one that a master can send.

    Raises:
        yaml.YAMLError: In libyaml's and PyYAML's own words.
        BadValueError: A number or another value is impossible, or cannot be sent.
        LimitExceeded: There are too many nodes, or they are too deep.
        RecursionError: A container contains itself.
    """
    refuse_nesting(source, limits)
    loader = loader_class(source.text)
    drafts = Drafts(loader, sendable=sendable)
    try:
        root = loader.get_single_node()
        if root is None:
            return None
        drafts.construct(root)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise BadValueError(str(error), drafts.offset) from error
    finally:
        loader.dispose()
    return _Grower(source, new_origin, drafts, limits, kind).grow(root)


def refuse_nesting(source: SourceText, limits: Limits) -> None:
    """Refuse a text that is so deep that it would crash the process.

    Raises:
        LimitExceeded: It is too deep.
    """
    offset = _find_too_deep(source.text, limits.levels)
    if offset is not None:
        raise too_deep(limits, source.locate(offset) if source.segments else ("", None))


def _find_too_deep(text: str, levels: int) -> int | None:
    """Return the character at which a text gets too deep; None if it does not, or is not YAML.

    PyYAML's C composer is recursive and crashes the process at the end of its stack. The parser is
    safe, but reading its events takes almost as long as loading. So a quick look at the text
    decides whether it may have more levels than ``_HARMLESS``.
    """
    if text.count("[") + text.count("{") <= _HARMLESS and not _has_deep_lines(text):
        return None
    depth = 0
    loader: Any = yaml.CSafeLoader(text)
    try:
        while not isinstance(event := loader.get_event(), yaml.StreamEndEvent):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            if depth > levels:
                return int(event.start_mark.index)
    except yaml.YAMLError:
        pass  # the loader reports this error
    finally:
        loader.dispose()
    return None


def _has_deep_lines(text: str) -> bool:
    columns = _HARMLESS // 2  # a list may be in the same column as its key: two levels
    return any(
        len(line) > columns and not line[:columns].strip(_STRUCTURE) for line in text.splitlines()
    )


def too_deep(limits: Limits, place: Line) -> LimitExceeded:
    """Return the error for a document that is too deep."""
    return LimitExceeded(f"it has more than {limits.levels} nested levels", place)


def load_plain(text: str) -> Any:
    """Return a document as dicts and lists, for ``load_yaml`` and ``import_yaml``.

    The values need not be ones that a master can send, because they stay in the template.

    Source: Salt ``salt/utils/yamlloader.py`` (``safe_load``).
    """
    unplaced = Origin("", None, None, None, None)
    source = SourceText(text, ())
    tree = load_tree(source, lambda *_: unplaced, Limits(), kind="plain", sendable=False)
    return None if tree is None else _thaw(tree, {})


def _thaw(node: Node, known: dict[int, Any]) -> Any:
    if isinstance(node, Leaf):
        return node.value
    if node.alias and node.alias in known:
        return known[node.alias]
    made: Any = {} if isinstance(node, MapNode) else []
    if node.alias:
        known[node.alias] = made
    if isinstance(node, MapNode):
        made.update((key, _thaw(item, known)) for key, item in node.items.items())
    else:
        made.extend(_thaw(item, known) for item in node.items)
    return made


class _Grower:
    """Converts a constructed document to a tree."""

    def __init__(
        self,
        source: SourceText,
        new_origin: NewOrigin,
        drafts: Drafts,
        limits: Limits,
        kind: MapKind,
    ) -> None:
        self._source = source
        self._new_origin = new_origin
        self._drafts = drafts
        self._limits = limits
        self._kind = kind
        self._shift = 1 if source.text.startswith("\ufeff") else 0  # libyaml does not count it
        self._grown: dict[yaml.Node, Node] = {}
        self._weights: dict[yaml.Node, int] = {}
        self._heights: dict[yaml.Node, int] = {}
        self._has_aliases = any(count > 1 for count in drafts.uses.values())
        self._open: set[yaml.Node] = set()
        self._aliases = 0
        self._secret_stretches = source.secret_stretches()

    def grow(self, node: yaml.Node, key_node: yaml.Node | None = None) -> Node:
        """Return the tree of a node; the same node gives the same tree.

        A container begins at its key; the position of a scalar is that of its text.
        """
        if node.__class__ is yaml.ScalarNode and not self._secret_stretches:
            value = self._drafts.values[node]
            if value.__class__ is not dict and value.__class__ is not list:
                return Leaf(value, (self._new_origin(self._locate(node), value),))
        known = self._grown.get(node)
        if known is not None:
            return known
        if node in self._open:
            raise RecursionError("maximum recursion depth exceeded")
        self._open.add(node)
        if len(self._open) > self._limits.levels:
            raise too_deep(self._limits, self._locate(node))
        drafts = self._drafts
        made: Node
        if node in drafts.values:
            made = self._grow_value(node, self._locate(node))
        elif node in drafts.mappings:
            made = self._grow_map(node, self._locate(key_node or node))
        else:
            made = self._grow_list(node, self._locate(key_node or node))
        self._open.discard(node)
        self._grown[node] = made
        return made

    def _grow_value(self, node: yaml.Node, place: Line) -> Node:
        value = self._drafts.values[node]
        if isinstance(value, dict | list):  # a special tag, such as !!pairs
            made = grow(value, lambda _, item: self._new_origin(place, item), kind=self._kind)
        else:
            made = Leaf(value, (self._new_origin(place, value),))
        return self._mark(node, made) if self._secret_stretches else made

    def _mark(self, node: yaml.Node, made: Node) -> Node:
        """Mark a value as secret if a character of it is."""
        start, end = node.start_mark.index + self._shift, node.end_mark.index + self._shift
        for first, last, reason in self._secret_stretches:
            if first < end and start < last:
                return mark_secret(made, reason)
        return made

    def _grow_map(self, node: yaml.Node, place: Line) -> MapNode:
        members = self._drafts.mappings[node]
        items = {key: self.grow(value_node, key_node) for key, key_node, value_node in members}
        self._weigh(node, [value_node for _, _, value_node in members], place)
        alias = self._alias(node)
        shared = alias > 0 or any(_is_shared(item) for item in items.values())
        origins = (self._new_origin(place, {}),)
        return MapNode(items, origins, kind=self._kind, alias=alias, shared=shared)

    def _grow_list(self, node: yaml.Node, place: Line) -> ListNode:
        items = tuple(self.grow(member) for member in node.value)
        self._weigh(node, node.value, place)
        alias = self._alias(node)
        shared = alias > 0 or any(_is_shared(item) for item in items)
        return ListNode(items, (self._new_origin(place, []),), alias=alias, shared=shared)

    def _alias(self, node: yaml.Node) -> int:
        if self._drafts.uses.get(node, 0) < 2:
            return 0
        self._aliases += 1
        return self._aliases

    def _weigh(self, node: yaml.Node, children: list[yaml.Node], place: Line) -> None:
        weight = 1 + sum(self._weights.get(child, 1) for child in children)
        if weight > self._limits.nodes:
            raise LimitExceeded(
                f"the YAML has more than {self._limits.nodes:,} nodes, aliases counted", place
            )
        self._weights[node] = weight
        if self._has_aliases:  # aliases are deep without depth in the text
            height = 1 + max((self._heights.get(child, 0) for child in children), default=0)
            if height > self._limits.levels:
                raise too_deep(self._limits, place)
            self._heights[node] = height

    def _locate(self, node: yaml.Node) -> Line:
        if not self._source.segments:
            return "", None
        return self._source.locate(node.start_mark.index + self._shift)


def _is_shared(node: Node) -> bool:
    return not isinstance(node, Leaf) and node.shared
