"""Secrets of a minion that its templates spell out as well, and may make anything of.

A literal that holds what a key of the same minion's pillar calls a password is given a placeholder,
as the password itself is where a template reads it.
"""

from collections.abc import Hashable, Iterable, Mapping

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.renderers.jinja.named_values import TemplateLiterals
from pillarbook.model import KeyPath, MapNode, Node
from pillarbook.patterns.distinctive import is_distinctive
from pillarbook.taint.taint_readers import TaintReaders

MAX_KEPT = 50_000
"""Nodes, and literals, whose secrets are remembered before all are let go."""
Secret = tuple[str, KeyPath]
"""A text with the keys that it stands under."""
Secrets = frozenset[Secret]


class WrittenSecrets:
    """Finds them; what minions share is gone through once.

    Args:
        taint_readers: Says what is secret.
    """

    def __init__(self, taint_readers: TaintReaders) -> None:
        self._taint_readers = taint_readers
        self._of_nodes: dict[tuple[Hashable, Node], Secrets] = {}
        # Both keys are what minions share: literals belong to a template's text, secrets to a set
        # of nodes. Cleared together at the limit.
        self._in_literals: dict[tuple[TemplateLiterals, Secrets], Mapping[str, Secret]] = {}

    def find(self, compiled: CompiledPillar) -> Mapping[str, Secret]:
        """Return the literals that hold a secret of a minion, each with that one."""
        templates = {one for result in compiled.renders for one in result.literals if one.texts}
        if not templates:
            return {}
        if max(len(self._of_nodes), len(self._in_literals)) > MAX_KEPT:
            self._of_nodes.clear()
            self._in_literals.clear()
        secrets = self._secrets_of(compiled)
        found: dict[str, Secret] = {}
        for one in templates:
            for literal, secret in self._find_in(one, secrets).items():
                found[literal] = min(secret, found.get(literal, secret), key=_rank)
        return found

    def _find_in(self, literals: TemplateLiterals, secrets: Secrets) -> Mapping[str, Secret]:
        key = (literals, secrets)
        known = self._in_literals.get(key)
        if known is None:
            # A test on the joined texts first: nearly no template holds a secret, and each has many
            # literals.
            held = [(text, path) for text, path in secrets if text in literals.texts]
            known = self._in_literals[key] = {
                one.value: (text, path)
                for text, path in sorted(held, key=_rank, reverse=True)
                for one in literals.all
                if isinstance(one.value, str) and text in one.value and not one.is_fixed
            }
        return known

    def _secrets_of(self, compiled: CompiledPillar) -> Secrets:
        shown = compiled.readers.shown
        trees: Iterable[MapNode] = (compiled.tree,) if shown is None else (compiled.tree, shown)
        return frozenset[tuple[str, KeyPath]]().union(
            *(self._below(key, node) for tree in trees for key, node in tree.items.items())
        )

    def _below(self, key: Hashable, node: Node) -> Secrets:
        known = self._of_nodes.get((key, node))
        if known is None:
            found = self._taint_readers.secrets_below(node, (key,))
            texts = ((leaf.value, path) for path, leaf in found if isinstance(leaf.value, str))
            telling = ((text.strip(), path) for text, path in texts if is_distinctive(text, path))
            known = self._of_nodes[key, node] = frozenset(telling)
        return known


def _rank(secret: Secret) -> tuple[int, int, str]:
    """Return what puts the longest secret first, and of its places the shortest."""
    text, path = secret
    return -len(text), len(path), str(path)
