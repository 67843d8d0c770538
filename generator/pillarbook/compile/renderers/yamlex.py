"""The ``yamlex`` renderer: YAML with the tag ``!aggregate``, which merges duplicate keys.

The order of construction is PyYAML's own, because it matters: a list is filled after everything
beside it, so a duplicate key with an untagged list has an empty list.

Source: Salt ``salt/renderers/yamlex.py``, ``salt/serializers/yamlex.py``.
"""

import copy
import io
from collections.abc import Callable, Hashable, Iterator
from typing import Any

import yaml
from yaml.constructor import ConstructorError, SafeConstructor

from pillarbook.compile.merge.aggregation import Aggregation
from pillarbook.compile.merge.freeze import freeze
from pillarbook.compile.merge.mutable_nodes import (
    ListSlot,
    MapSlot,
    MutableList,
    MutableMap,
    NodeOrSlot,
)
from pillarbook.compile.merge.replace import replace
from pillarbook.compile.renderers.python_data import NodeCounter
from pillarbook.compile.renderers.render_context import RenderContext, Rendered
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.secret_marks import secret_leaf
from pillarbook.compile.renderers.source_text import Line, SourceText
from pillarbook.compile.renderers.yaml import find_remedy
from pillarbook.compile.renderers.yaml_loader import refuse_nesting
from pillarbook.model import Leaf, ListNode, MapNode, Node, Origin, plain

NOT_TEXT = "a string or stream input is required"
SCANNER_ERROR = "Unknown yaml render error"
"""Salt's text for scanner errors; Salt knows only one, which libyaml never reports."""
STR_TAG = "tag:yaml.org,2002:str"
SEQ_TAG = "tag:yaml.org,2002:seq"
MAP_TAG = "tag:yaml.org,2002:map"
OMAP_TAG = "tag:yaml.org,2002:omap"
INT_TAG = "tag:yaml.org,2002:int"
PAIRS_TAG = "tag:yaml.org,2002:pairs"
AGGREGATE = "!aggregate"
RESET = "!reset"


class YamlexLoader(yaml.CSafeLoader):
    """Constructs leaves, mappings and lists; keys are plain values."""

    DEFAULT_MAPPING_TAG = OMAP_TAG  # type: ignore[misc] # what PyYAML has it for

    def __init__(self, source: SourceText, new_origin: Callable[[Line, Any], Origin]) -> None:
        # A stream as in Salt, because errors name it "<file>".
        super().__init__(io.StringIO(source.text))
        self._source = source
        self._new_origin = new_origin
        self._hides = bool(source.secret_stretches())
        self._aggregation = Aggregation()
        self._keys: dict[yaml.Node, yaml.Node] = {}
        # libyaml does not count a byte order mark.
        self._skipped = 1 if source.text.startswith("\ufeff") else 0
        self.offset = 0
        """The index of the node that was constructed last."""

    def load(self) -> NodeOrSlot | None:
        """Return the document.

        Raises:
            yaml.YAMLError: In libyaml's and PyYAML's words.
            ValueError: A number or a date is invalid; in Python's words.
            AttributeError: A container has the tag of a scalar, or similar; in Python's words.
        """
        content: NodeOrSlot | None = self.get_single_data()
        return content

    def construct_object(self, node: yaml.Node, deep: bool = False) -> NodeOrSlot:
        """Return the content of a node; the same node gives the same content."""
        if node not in self.constructed_objects:
            self.offset = self._find(node)
        made: Any = super().construct_object(node, deep=deep)
        if isinstance(made, Leaf | MapSlot | ListSlot):
            return made
        leaf = self.constructed_objects[node] = self._make_leaf(node, made)
        return leaf

    def construct_sls_str(self, node: yaml.ScalarNode) -> str:
        """Return a scalar's text."""
        return str(self.construct_scalar(node))

    def construct_sls_int(self, node: yaml.Node) -> int:
        """Return a whole number, leading zeros dropped; neither hexadecimal nor base 60."""
        text = node.value
        if text.startswith("0") and not text.startswith(("0b", "0x")):
            text = text.lstrip("0") or "0"
        return int(text)

    def construct_sls_map(self, node: yaml.Node) -> MapSlot:
        """Return a mapping; the value of a duplicate key is merged with the earlier one."""
        self._flatten(node)
        box = MutableMap({}, self._begin(node, {}), "sls")
        for key_node, value_node in node.value:
            resets = key_node.tag == RESET
            if key_node.tag == AGGREGATE:
                key_node.tag, value_node.tag = self._resolve_tag(key_node), AGGREGATE
            self._keys.setdefault(value_node, key_node)
            key = self._construct_key(node, key_node)
            value = self.construct_object(value_node)
            if key in box.items:
                combine = replace if resets else self._aggregation.combine
                value = combine(box.items[key], value)
            box.items[key] = value
        return MapSlot(box)

    def construct_sls_plain_map(self, node: yaml.Node) -> Iterator[MapSlot]:
        """Yield a mapping tagged ``!!map``, then fill it; the last of equal keys wins."""
        box = MutableMap({}, self._begin(node, {}), "plain")
        yield MapSlot(box)
        for key, value_node in self._plain_members(node):
            value = self.construct_object(value_node)
            box.items[key] = replace(box.items[key], value) if key in box.items else value

    def construct_mapping(self, node: yaml.Node, deep: bool = False) -> dict[Any, Any]:
        """Return the keys of a node tagged ``!!set``."""
        return {
            key: self.construct_object(value_node, deep=deep)
            for key, value_node in self._plain_members(node)
        }

    def _plain_members(self, node: yaml.Node) -> Iterator[tuple[Any, yaml.Node]]:
        self._flatten(node)
        for key_node, value_node in node.value:
            key = self.construct_object(key_node)
            if not (isinstance(key, Leaf) and isinstance(key.value, Hashable)):
                raise ConstructorError(
                    "while constructing a mapping",
                    node.start_mark,
                    "found unhashable key",
                    key_node.start_mark,
                )
            self._keys.setdefault(value_node, key_node)
            yield key.value, value_node

    def construct_sls_list(self, node: yaml.SequenceNode) -> Iterator[ListSlot]:
        """Yield a list, then fill it."""
        box = MutableList([], self._begin(node, []), "plain")
        yield ListSlot(box)
        box.items.extend(self.construct_sequence(node))

    def construct_sls_pairs(self, node: yaml.Node) -> Iterator[ListSlot]:
        """Yield a list tagged ``!!pairs``, then fill it with tuples."""
        box = MutableList([], self._begin(node, []), "plain")
        yield ListSlot(box)
        was_deep, self.deep_construct = self.deep_construct, True
        (pairs,) = super().construct_yaml_pairs(node)
        self.deep_construct = was_deep
        for key, value in pairs:
            pair = (plain(freeze(key)), plain(freeze(value)))
            box.items.append(self._make_leaf(node, pair))

    def construct_sls_aggregate(self, node: yaml.Node) -> NodeOrSlot:
        """Return a container with the tag; a scalar becomes a list, null an empty list."""
        content = self.construct_sls_reset(node)
        if isinstance(content, MapNode | MapSlot):
            return MapSlot(MutableMap({**content.items}, content.origins, "aggregate"))
        if isinstance(content, ListNode | ListSlot):
            return ListSlot(MutableList([*content.items], content.origins, "aggregate"))
        if content.value is None:
            return ListSlot(MutableList([], self._begin(node, []), "aggregate"))
        return ListSlot(MutableList([content], content.origins, "aggregate"))

    def construct_sls_reset(self, node: yaml.Node) -> NodeOrSlot:
        """Return the content of a node as if it had no tag."""
        untagged = copy.copy(node)
        untagged.tag = self._resolve_tag(node)
        self._keys[untagged] = self._keys.get(node, node)
        return self.construct_object(untagged, deep=not isinstance(node, yaml.ScalarNode))

    def _flatten(self, node: yaml.Node) -> None:
        """Insert the members that ``<<`` merges before a mapping's own keys."""
        if not isinstance(node, yaml.MappingNode):
            found = "scalar" if isinstance(node, yaml.ScalarNode) else "sequence"
            problem = f"expected a mapping node, but found {found}"
            raise ConstructorError(None, None, problem, node.start_mark)
        self.flatten_mapping(node)

    def _resolve_tag(self, node: yaml.Node) -> str:
        if isinstance(node, yaml.ScalarNode):
            resolve: Any = self.resolve
            return str(resolve(yaml.ScalarNode, node.value, (True, True)))
        return SEQ_TAG if isinstance(node, yaml.SequenceNode) else OMAP_TAG

    def _construct_key(self, node: yaml.Node, key_node: yaml.Node) -> Any:
        key = self.construct_object(key_node)
        if isinstance(key, Leaf) and isinstance(key.value, Hashable):
            return key.value
        raise ConstructorError(
            f"While constructing a mapping {node.start_mark}"
            f" found unacceptable key {key_node.start_mark}"
        )

    def _make_leaf(self, node: yaml.Node, value: Any) -> Leaf:
        start, secret = self._find(node), None
        if self._hides and value is not None:
            secret = self._source.secret_at(start, int(node.end_mark.index) + self._skipped)
        origins = (self._new_origin(self._source.locate(start), value),)
        return Leaf(value, origins) if secret is None else secret_leaf(value, origins, secret)

    def _begin(self, node: yaml.Node, value: Any) -> tuple[Origin, ...]:
        """Return the origins of a container, which begins at its key."""
        place = self._source.locate(self._find(self._keys.get(node, node)))
        return (self._new_origin(place, value),)

    def _find(self, node: yaml.Node) -> int:
        """Return the index of a node's first character."""
        return int(node.start_mark.index) + self._skipped


YamlexLoader.add_constructor(AGGREGATE, YamlexLoader.construct_sls_aggregate)

YamlexLoader.add_constructor(RESET, YamlexLoader.construct_sls_reset)

YamlexLoader.add_constructor(OMAP_TAG, YamlexLoader.construct_sls_map)

YamlexLoader.add_constructor(MAP_TAG, YamlexLoader.construct_sls_plain_map)

YamlexLoader.add_constructor(SEQ_TAG, YamlexLoader.construct_sls_list)

YamlexLoader.add_constructor(PAIRS_TAG, YamlexLoader.construct_sls_pairs)

YamlexLoader.add_constructor(STR_TAG, YamlexLoader.construct_sls_str)

YamlexLoader.add_constructor(INT_TAG, YamlexLoader.construct_sls_int)


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


# Salt also accepts these tags with letters after them, and then fails.
for _name in ("null", "bool", "float", "binary", "timestamp", "pairs", "set", "seq", "map"):
    YamlexLoader.add_multi_constructor(
        f"tag:yaml.org,2002:{_name}", getattr(SafeConstructor, f"construct_yaml_{_name}")
    )
