"""Secrets that the inventory declares, with patterns like those of ``redact: keys``."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from pillarbook.compile.renderers.secret_marks import mark_secret
from pillarbook.model import KeyPath, Leaf, MapNode, Node, Origin, with_members
from pillarbook.model.limited_cache import recall
from pillarbook.patterns.key_paths import lower_patterns, matches

DECLARED = "declared in the inventory"
MAX_KEPT = 50_000
"""The most nodes that are cached; then the cache is emptied."""


class DeclaredSecrets:
    """Marks the values that patterns match; parts that minions share are processed once.

    Everything at or below a pattern of keys or key paths is secret.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self._patterns = lower_patterns(patterns)
        # By node and path: the result depends on nothing else. The marked node is kept so that
        # minions still share it.
        self._made: dict[tuple[Node, KeyPath], Node] = {}

    def mark_at(self, path: KeyPath) -> str | None:
        """Return the mark of the value at a path; None if no pattern matches the path."""
        return DECLARED if self._names(path) else None

    def _names(self, path: KeyPath) -> bool:
        return matches(self._patterns, path)

    def mark(self, tree: MapNode) -> MapNode:
        """Return a pillar whose declared secrets are marked; other nodes stay the same objects."""
        if len(self._made) > MAX_KEPT:
            self._made.clear()
        return with_members(tree, [self._visit(item, (key,)) for key, item in tree.items.items()])

    def _visit(self, node: Node, path: KeyPath) -> Node:
        return recall(self._made, (node, path), partial(self._rebuild, node, path))

    def _rebuild(self, node: Node, path: KeyPath) -> Node:
        if isinstance(node, Leaf):
            if node.secret is not None or node.value is None:
                return node
            named = self._names(path) or self._named_before(node.origins, path)
            return replace(node, secret=DECLARED) if named else node
        if self._named_before(node.overrode, path):
            return mark_secret(node, DECLARED)
        if isinstance(node, MapNode):
            members = [self._visit(item, (*path, key)) for key, item in node.items.items()]
            return with_members(node, members)
        listed = [self._visit(item, (*path, at)) for at, item in enumerate(node.items)]
        return with_members(node, listed)

    def _named_before(self, origins: Iterable[Origin], path: KeyPath) -> bool:
        """Say whether a pattern matches a value that was below a path and was overridden."""
        return any(origin.below and self._names((*path, *origin.below)) for origin in origins)
