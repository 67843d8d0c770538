"""Converts YAML nodes to values, in PyYAML's order.

PyYAML fills containers level by level. If a document has two errors, the one at the lower depth is
reported, and the queue here keeps this order.
"""

from collections.abc import Hashable, Iterator
from typing import Any, TypeAlias

from yaml import CSafeLoader, MappingNode, Node, SafeLoader, ScalarNode, SequenceNode
from yaml.constructor import ConstructorError

from pillarbook.compile.renderers.yaml_scalars import STR_TAG, DuplicateKeyError, SaltLoader
from pillarbook.model.long_integers import REFUSED, holds_long_integer

MAP_TAGS = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:omap")
SEQ_TAG = "tag:yaml.org,2002:seq"
MERGE_TAG = "tag:yaml.org,2002:merge"

Loader: TypeAlias = CSafeLoader | SafeLoader
"""Salt's loader, or one of PyYAML's own, in which the last of equal keys counts."""


class Drafts:
    """A document under construction: the content of each container node, and its uses."""

    def __init__(self, loader: Loader, *, sendable: bool) -> None:
        self._loader = loader
        self._sendable = sendable
        # The first SLS that a master renders makes Salt's loader read `!!omap` as a mapping, in all
        # later loads.
        self._refuses_repeats = is_salts = isinstance(loader, SaltLoader)
        self._map_tags = MAP_TAGS if is_salts else MAP_TAGS[:1]
        self.mappings: dict[Node, list[tuple[Hashable, Node, Node]]] = {}
        """The members of each mapping node: ``(key, key node, value node)``, each key once."""
        self.values: dict[Node, Any] = {}
        """The value of every scalar node, and of every node with a special tag."""
        self.uses: dict[Node, int] = {}
        """The number of references to each container node."""
        self.offset = 0
        """The first character of the value under construction."""

    def construct(self, root: Node) -> None:
        """Construct all nodes below ``root``.

        Raises:
            yaml.constructor.ConstructorError: In PyYAML's words.
            ValueError: A value is impossible, or no master can send it.
        """
        queue = [root] if self._take(root) else []
        for container in queue:  # the list grows during the loop: first in, first out
            queue.extend(filter(self._take, self._fill(container)))

    def _take(self, node: Node) -> bool:
        """Count a use of a node; return whether it is a container to fill."""
        if isinstance(node, ScalarNode):
            if node not in self.values:
                self.values[node] = self._scalar(node)
            return False
        known = self.uses.get(node, 0)
        self.uses[node] = known + 1
        if known:
            return False
        if node.tag in self._map_tags or (isinstance(node, SequenceNode) and node.tag == SEQ_TAG):
            return True
        self.values[node] = self._construct(node)
        return False

    def _scalar(self, node: ScalarNode) -> Any:
        if node.tag == STR_TAG:  # the most frequent tag, which needs no work
            return node.value
        return self._construct(node)

    def _construct(self, node: Node) -> Any:
        self.offset = node.start_mark.index
        made = self._loader.construct_object(node, deep=True)
        if self._sendable and holds_long_integer(made):
            raise ValueError(REFUSED)
        return made

    def is_map(self, node: Node) -> bool:
        """Say whether a node is an ordinary mapping."""
        return isinstance(node, MappingNode) and node.tag in self._map_tags

    def _fill(self, node: Node) -> Iterator[Node]:
        if node.tag in self._map_tags and not isinstance(node, MappingNode):
            found = "sequence" if isinstance(node, SequenceNode) else "scalar"
            problem = f"expected a mapping node, but found {found}"
            raise ConstructorError(None, None, problem, node.start_mark)
        if isinstance(node, SequenceNode):
            yield from node.value
            return
        assert isinstance(node, MappingNode)  # noqa: S101 (it is one or the other)
        self._loader.flatten_mapping(node)
        members: dict[Hashable, tuple[Node, Node]] = {}
        for key_node, value_node in node.value:
            key = self._construct_key(node, key_node)
            yield value_node
            if key in members and self._refuses_repeats:
                raise DuplicateKeyError(node, key, members[key][0], key_node)
            members[key] = (key_node, value_node)
        self.mappings[node] = [(key, *nodes) for key, nodes in members.items()]

    def _construct_key(self, node: Node, key_node: Node) -> Hashable:
        key = None
        if isinstance(key_node, ScalarNode):
            key = self._scalar(key_node)
        elif not self.is_map(key_node) and key_node.tag != SEQ_TAG:
            key = self._construct(key_node)
        hashable = isinstance(key_node, ScalarNode) or key is not None
        try:
            hash(key)
        except TypeError:
            hashable = False
        if not hashable:
            raise ConstructorError(
                "while constructing a mapping",
                node.start_mark,
                f"found unacceptable key {key_node.value}",
                key_node.start_mark,
            )
        return key
