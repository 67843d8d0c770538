"""Salt's YAML loader on PyYAML's C parser: its scalars and its merge keys.

Source: Salt ``salt/utils/yamlloader.py`` (``SaltYamlSafeLoader``).
"""

import base64
import binascii
import operator
from functools import lru_cache
from typing import Any

import yaml
from yaml.constructor import ConstructorError

INT_TAG = "tag:yaml.org,2002:int"
MERGE_TAG = "tag:yaml.org,2002:merge"
VALUE_TAG = "tag:yaml.org,2002:value"
STR_TAG = "tag:yaml.org,2002:str"


DEFAULT_TAGS = {
    yaml.ScalarNode: STR_TAG,
    yaml.SequenceNode: "tag:yaml.org,2002:seq",
    yaml.MappingNode: "tag:yaml.org,2002:map",
}


# By the arguments, since the resolvers of the class never change after import.
@lru_cache(maxsize=65536)
def resolve_tag(kind: type[yaml.Node], value: str | None, implicit: Any) -> str:
    """Return the tag of a node; for a plain scalar, it depends only on the text.

    A fleet's documents have the same words again and again, and the parser in C calls this for
    each.
    """
    if kind is yaml.ScalarNode and implicit[0]:
        text = value or ""
        resolvers = yaml.CSafeLoader.yaml_implicit_resolvers
        for tag, pattern in (*resolvers.get(text[:1], ()), *resolvers.get(None, ())):
            if pattern.match(text):
                return str(tag)
    return DEFAULT_TAGS[kind]


class DuplicateKeyError(ConstructorError):
    """A mapping has a key twice; in Salt's words."""

    def __init__(self, node: yaml.Node, key: object, first: yaml.Node, second: yaml.Node) -> None:
        super().__init__(
            "while constructing a mapping",
            node.start_mark,
            f"found conflicting ID '{key}'",
            second.start_mark,
        )
        self.key = key
        """The key."""
        self.first = first.start_mark.index
        """The index of the first key's first character."""
        self.texts = (str(first.value), str(second.value))
        """Both keys as they are written; ``1`` and ``true`` are the same key."""


class SaltLoader(yaml.CSafeLoader):
    """PyYAML's safe loader with Salt's own rules.

    Leading zeros of a number are dropped, dates stay text, ``!!binary`` may lack its padding, a
    duplicate key is an error, and keys of a mapping win over merged keys.
    """

    # There are no tags by path. The parser in C calls these for every node, so they are the fastest
    # functions in C with these arguments.
    resolve = staticmethod(resolve_tag)
    descend_resolver = staticmethod(operator.is_)  # type: ignore[assignment] # takes any two
    ascend_resolver = staticmethod(int)  # type: ignore[assignment] # takes nothing

    def construct_scalar(self, node: Any) -> str:
        """Return a scalar's text; a whole number's without leading zeros."""
        if (
            node.tag == INT_TAG
            and node.value.startswith("0")
            and node.value[:2] not in ("0b", "0x")
        ):
            node.value = node.value.lstrip("0") or "0"
        return str(super().construct_scalar(node))

    def construct_text(self, node: yaml.Node) -> str:
        """Return the text of a ``!!python/unicode`` scalar."""
        return str(node.value)

    def construct_binary(self, node: yaml.Node) -> bytes:
        """Return the bytes of a ``!!binary`` scalar, with missing padding added."""
        try:
            value = self.construct_scalar(node).encode("ascii")
        except UnicodeEncodeError as error:
            raise ConstructorError(
                None, None, f"failed to convert base64 data into ascii: {error}", node.start_mark
            ) from error
        if len(value) % 4:
            value += b"=" * (4 - len(value) % 4)
        try:
            return base64.decodebytes(value)
        except binascii.Error as error:
            raise ConstructorError(
                None, None, f"failed to decode base64 data: {error}", node.start_mark
            ) from error

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[object, object]:
        """Return a mapping below a node with a special tag, such as ``!!set``."""
        if not isinstance(node, yaml.MappingNode):
            raise ConstructorError(
                None, None, f"expected a mapping node, but found {node.id}", node.start_mark
            )
        self.flatten_mapping(node)
        mapping: dict[object, object] = {}
        seen: dict[object, yaml.Node] = {}
        for key_node, value_node in node.value:
            key = self.construct_object(key_node, deep=deep)
            if key in mapping:
                raise DuplicateKeyError(node, key, seen[key], key_node)
            seen[key] = key_node
            mapping[key] = self.construct_object(value_node, deep=deep)
        return mapping

    def flatten_mapping(self, node: yaml.Node) -> None:
        """Insert the members that ``<<`` merges before a mapping's own keys.

        A key of the mapping wins over a merged key with the same text. Of several merged mappings
        in one list, the first comes last.
        """
        own: list[tuple[yaml.Node, yaml.Node]] = []
        merged: list[tuple[yaml.Node, yaml.Node]] = []
        for key_node, value_node in node.value:
            if key_node.tag == MERGE_TAG:
                for source in self._merge_sources(node, value_node):
                    self.flatten_mapping(source)
                    merged.extend(source.value)
                continue
            if key_node.tag == VALUE_TAG:
                key_node.tag = STR_TAG
            own.append((key_node, value_node))
        if len(own) == len(node.value):
            return
        taken = [key_node.value for key_node, _ in own]
        node.value = [pair for pair in merged if pair[0].value not in taken] + own

    def _merge_sources(self, node: yaml.Node, value_node: Any) -> list[yaml.Node]:
        if isinstance(value_node, yaml.MappingNode):
            return [value_node]
        context = "while constructing a mapping"
        if not isinstance(value_node, yaml.SequenceNode):
            raise ConstructorError(
                context,
                node.start_mark,
                f"expected a mapping or list of mappings for merging, but found {value_node.id}",
                value_node.start_mark,
            )
        for source in value_node.value:
            if not isinstance(source, yaml.MappingNode):
                raise ConstructorError(
                    context,
                    node.start_mark,
                    f"expected a mapping for merging, but found {source.id}",
                    source.start_mark,
                )
        return list(reversed(value_node.value))


SaltLoader.add_constructor("tag:yaml.org,2002:str", SaltLoader.construct_scalar)
SaltLoader.add_constructor("tag:yaml.org,2002:timestamp", SaltLoader.construct_scalar)
SaltLoader.add_constructor("tag:yaml.org,2002:python/unicode", SaltLoader.construct_text)
SaltLoader.add_constructor("tag:yaml.org,2002:binary", SaltLoader.construct_binary)
