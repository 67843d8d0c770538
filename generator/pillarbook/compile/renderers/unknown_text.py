"""Finds what is unknown in a document: values of mappings and members of lists, each as a whole.

The text that an answer prints may be anything: a number, a list, nothing at all. Where only the
value of the scalar that holds it can hang on that, the scalar is unknown and the rest of the
document is exact. In a key, in a comment or between the items of ``[a, b]`` it may hang on more.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

import yaml

from pillarbook.compile.renderers.secret_marks import all_leaves, map_leaves
from pillarbook.compile.renderers.yaml_scalars import STR_TAG, SaltLoader
from pillarbook.model import Leaf, MapNode, Node
from pillarbook.model.unknown import Unknown

_INCLUDE = "include"


class AnswerTokens(Protocol):
    """Knows the tokens of a render."""

    def count_tokens(self, text: str) -> int:
        """Return how many tokens a text has."""
        ...

    def holds_token(self, text: str) -> bool:
        """Say whether a text has a token in it."""
        ...

    def read(self, text: str) -> Unknown:
        """Return what a text with tokens stands for."""
        ...


def mark_unknown(tree: Node, text: str, tokens: AnswerTokens) -> MapNode | None:
    """Return the tree of a document with what is unknown; None if more may hang on that.

    Args:
        tree: The tree, with tokens in it.
        text: The document.
        tokens: Knows the tokens.
    """
    if not isinstance(tree, MapNode) or not _are_values(text, tokens):
        return None

    def mark(leaf: Leaf) -> Leaf:
        if not isinstance(leaf.value, str) or not tokens.holds_token(leaf.value):
            return leaf
        unknown = tokens.read(leaf.value)
        return Leaf(unknown, tuple(replace(one, value=unknown) for one in leaf.origins))

    marked = map_leaves(tree, mark)
    assert isinstance(marked, MapNode)  # noqa: S101 (only leaves are changed)
    included = marked.items.get(_INCLUDE)
    return None if included is not None and holds_unknown_leaf(included) else marked


def holds_unknown_leaf(node: Node) -> bool:
    """Say whether a tree has an unknown value."""
    return any(leaf.value.__class__ is Unknown for leaf in all_leaves(node))


def _are_values(text: str, tokens: AnswerTokens) -> bool:
    """Say whether each token of a document is in a scalar that is a value, and no more."""
    loader = SaltLoader(text)
    try:
        root = loader.get_single_node()
    finally:
        loader.dispose()
    if root is None or not isinstance(root, yaml.MappingNode):
        return False
    found = sum(tokens.count_tokens(scalar.value) for scalar in _values_below(root))
    return found == tokens.count_tokens(text)


def _values_below(root: yaml.CollectionNode) -> Iterator[yaml.ScalarNode]:
    """Yield the scalars that are values, each once; one of ``[a, b]`` only if it is quoted.

    An answer with a comma in it would be two items there.
    """
    seen: set[int] = set()
    queue: list[yaml.CollectionNode] = [root]
    for container in queue:  # grows while it is walked
        is_map = isinstance(container, yaml.MappingNode)
        members = [value for _, value in container.value] if is_map else container.value
        for member in members:
            if id(member) in seen:
                continue
            seen.add(id(member))
            if isinstance(member, yaml.CollectionNode):
                queue.append(member)
            elif member.tag == STR_TAG and (member.style or not container.flow_style):
                yield member
