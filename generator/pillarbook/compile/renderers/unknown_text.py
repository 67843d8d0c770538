"""Finds what is unknown in a document: scalars, keys, and what was not tried out.

The text that an answer prints may be anything: a number, a list, nothing at all. It is assumed that
it does not end the scalar, the comment or the flow container in which it is printed. So the scalar
that holds it is unknown and the rest of the document is exact; without quotes in ``[a, b]``, where
an answer with a comma is two items, the container is unknown.
"""

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import yaml

from pillarbook.compile.renderers.yaml_scalars import STR_TAG, SaltLoader
from pillarbook.model import Leaf, ListNode, MapNode, Node
from pillarbook.model.tree import all_leaves
from pillarbook.model.unknown import Unknown, UnknownKey

if TYPE_CHECKING:
    from pillarbook.compile.renderers.jinja.unknown_answers import UnknownAnswers

_MERGE = "tag:yaml.org,2002:merge"
_COMMENT = re.compile(r"(^|\s)#")
_Container = yaml.CollectionNode


class _RefusedError(Exception):
    """More may hang on an answer than is marked."""


def mark_unknown(tree: Node | None, text: str, tokens: "UnknownAnswers") -> MapNode | None:
    """Return the tree of a document with what is unknown; None if more may hang on that.

    ``tree`` has tokens in it.
    """
    if not isinstance(tree, MapNode):
        return None
    if not tokens.holds_token(text):
        return tree
    root = _compose(text)
    if not isinstance(root, yaml.MappingNode) or not _are_in_scalars(root, text, tokens):
        return None
    try:
        marked = _Marker(text, tokens).visit(tree, root)
    except _RefusedError:
        return None
    return marked if isinstance(marked, MapNode) else None


def mark_from(tree: MapNode, text: str, position: int, unknown: Unknown) -> MapNode | None:
    """Return the tree of a document of which only the text before a position is exact.

    ``position`` is the index of the first character that may be another one, and ``unknown`` stands
    for the rest. In ``tree``, what is unknown is marked.

    None if that cannot be said.
    """
    root = _compose(text)
    if not isinstance(root, yaml.MappingNode) or tree.shared:
        return _nothing(tree, unknown)
    marked = _cut(tree, root, position, unknown)
    return marked if isinstance(marked, MapNode) else _nothing(tree, unknown)


def holds_unknown_leaf(node: Node) -> bool:
    """Say whether a tree has an unknown value."""
    return any(leaf.value.__class__ is Unknown for leaf in all_leaves(node))


def unknown_leaf(node: Node, unknown: Unknown) -> Leaf:
    """Return an unknown value in place of a node."""
    return Leaf(unknown, tuple(replace(one, value=unknown) for one in node.origins))


def _nothing(tree: MapNode, unknown: Unknown) -> MapNode:
    """Return a mapping of which nothing is known."""
    return MapNode(
        {UnknownKey("<unknown 1>"): unknown_leaf(tree, unknown)}, tree.origins, kind="open"
    )


def _compose(text: str) -> yaml.Node | None:
    loader = SaltLoader(text)
    try:
        root: yaml.Node | None = loader.get_single_node()
    finally:
        loader.dispose()
    return root


def _are_in_scalars(root: yaml.Node, text: str, tokens: "UnknownAnswers") -> bool:
    """Say whether each token of a document is in a scalar or in a comment."""
    spans: list[tuple[int, int]] = []
    seen: set[int] = set()
    queue = [root]
    for node in queue:  # grows while it is walked
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.ScalarNode):
            if tokens.holds_token(node.value):
                spans.append((node.start_mark.index, node.end_mark.index))
        elif isinstance(node, yaml.MappingNode):
            queue += [one for pair in node.value for one in pair]
        elif isinstance(node, _Container):
            queue += node.value
    outside = (at for at in tokens.places(text) if not any(a <= at < b for a, b in spans))
    return all(_COMMENT.search(text[text.rfind("\n", 0, at) + 1 : at]) for at in outside)


@dataclass(slots=True)
class _Marker:
    text: str
    tokens: "UnknownAnswers"
    keys: int = 0

    def visit(self, tree: Node, node: yaml.Node) -> Node:
        """Return a tree, marked; ``node`` is where it comes from."""
        written = self.text[node.start_mark.index : node.end_mark.index]
        # An alias, also below a merge key, brings in what is written elsewhere.
        if (
            not isinstance(tree, Leaf)
            and not self.tokens.holds_token(written)
            and "*" not in written
        ):
            return tree
        if isinstance(tree, Leaf):
            return self._mark_leaf(tree, node, written)
        if isinstance(node, _Container) and node.flow_style and self._has_bare(node):
            return unknown_leaf(tree, self.tokens.read(written))
        if isinstance(tree, ListNode) and isinstance(node, yaml.SequenceNode):
            if len(tree.items) != len(node.value):
                raise _RefusedError
            return replace(tree, items=tuple(map(self.visit, tree.items, node.value)))
        if isinstance(tree, MapNode) and isinstance(node, yaml.MappingNode):
            return self._mark_map(tree, node, written)
        raise _RefusedError

    def _mark_leaf(self, leaf: Leaf, node: yaml.Node, written: str) -> Leaf:
        is_scalar = isinstance(node, yaml.ScalarNode)
        if not self.tokens.holds_token(node.value if is_scalar else written):
            return leaf
        if not is_scalar or node.tag != STR_TAG or not isinstance(leaf.value, str):
            raise _RefusedError
        # A message with a token in it has none after gpg.
        text = leaf.value if self.tokens.holds_token(leaf.value) else node.value
        return unknown_leaf(leaf, self.tokens.read(text))

    def _mark_map(self, tree: MapNode, node: yaml.MappingNode, written: str) -> MapNode:
        if any(key.tag == _MERGE for key, _ in node.value) or len(node.value) != len(tree.items):
            if self.tokens.holds_token(written) or self._holds_token(tree):
                raise _RefusedError
            return tree
        items: dict[object, Node] = {}
        kind = tree.kind
        for (key, item), (key_node, value_node) in zip(tree.items.items(), node.value, strict=True):
            if isinstance(key, str) and self.tokens.holds_token(key):
                self.keys += 1
                span = self.text[key_node.start_mark.index : value_node.end_mark.index]
                items[UnknownKey(f"<unknown {self.keys}>")] = unknown_leaf(
                    item, self.tokens.read(span)
                )
                kind = "open"
            elif isinstance(key_node, _Container) and self.tokens.holds_token(str(key)):
                raise _RefusedError
            else:
                items[key] = self.visit(item, value_node)
        return replace(tree, items=items, kind=kind)

    def _holds_token(self, tree: MapNode) -> bool:
        return any(
            isinstance(leaf.value, str) and self.tokens.holds_token(leaf.value)
            for leaf in all_leaves(tree)
        )

    def _has_bare(self, node: yaml.CollectionNode) -> bool:
        """Say whether a token is in a member without quotes."""
        is_map = isinstance(node, yaml.MappingNode)
        members = [one for pair in node.value for one in pair] if is_map else node.value
        return any(
            isinstance(one, yaml.ScalarNode)
            and not one.style
            and self.tokens.holds_token(one.value)
            for one in members
        )


def _cut(tree: Node, node: yaml.Node, position: int, unknown: Unknown) -> Node:
    """Return a tree of which only what is written before a position is exact."""
    if not isinstance(tree, MapNode) or not isinstance(node, yaml.MappingNode):
        return unknown_leaf(tree, unknown)
    if len(tree.items) != len(node.value) or node.start_mark.index >= position:
        return unknown_leaf(tree, unknown)
    starts = [key.start_mark.index for key, _ in node.value]
    items: dict[object, Node] = {}
    for at, (key, item) in enumerate(tree.items.items()):
        if at + 1 < len(starts) and starts[at + 1] < position:
            items[key] = item
        elif starts[at] < position:
            items[key] = _cut(item, node.value[at][1], position, unknown)
        else:
            items[key] = unknown_leaf(item, replace(unknown, may_miss=True))
    number = sum(isinstance(key, UnknownKey) for key in items) + 1
    items[UnknownKey(f"<unknown {number}>")] = unknown_leaf(tree, unknown)
    return replace(tree, items=items, kind="open")
