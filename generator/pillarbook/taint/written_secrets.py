"""Secrets of a minion that its templates spell out as well, and may make anything of.

A literal that holds what a key of the same minion's pillar calls a password is given a placeholder,
as the password itself is where a template reads it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.renderers.jinja.template_secrets import TemplateLiterals
from pillarbook.model import KeyPath, Leaf, MapNode, Node
from pillarbook.patterns.distinctive import is_distinctive
from pillarbook.redact.secret_sources import source_of
from pillarbook.taint.taint_readers import TaintReaders

MAX_KEPT = 20_000
"""Nodes, and literals, whose secrets are remembered before all are let go."""
Secret = tuple[str, KeyPath]
"""A text with the keys that it is under; none where it was opened."""
Secrets = frozenset[Secret]
NONE: Secrets = frozenset()


@dataclass(frozen=True, slots=True)
class WrittenSecret:
    """A secret that a literal holds."""

    text: str
    """Its text."""
    path: KeyPath
    """The keys of the pillar that name it; none where that would tell who guesses it."""
    names: KeyPath
    """The names that the template gives the literal to."""

    def __repr__(self) -> str:
        """Return its names, never the text."""
        return f"WrittenSecret({self.path!r}, {self.names!r})"


Written = Mapping[str, WrittenSecret]
"""Literals, each with the secret that it holds."""


class WrittenSecrets:
    """Finds them; what minions share is processed once."""

    def __init__(self, taint_readers: TaintReaders) -> None:
        self._taint_readers = taint_readers
        # By the paths and the shared node: what is secret below follows from them, as names of keys
        # count from the top.
        self._of_nodes: dict[tuple[KeyPath, KeyPath, Node], Secrets] = {}
        # Both keys are what minions share: literals belong to a template's text, secrets to a set
        # of nodes. Cleared together at the limit.
        self._in_literals: dict[tuple[TemplateLiterals, Secrets], Written] = {}

    def find(self, compiled: CompiledPillar) -> Written:
        """Return the literals that hold a secret of a minion, each with that one.

        Those that a template puts a secret together of are among them.
        """
        parts = (one for one in compiled.named if one.is_part)
        found = {one.value: WrittenSecret(one.value, (), one.path) for one in parts}
        # In an order of their own, which decides what the trials tell where there are too few of
        # them: literals and secrets are met in the order of sets.
        return dict(sorted((found | self._find_whole(compiled)).items()))

    def _find_whole(self, compiled: CompiledPillar) -> dict[str, WrittenSecret]:
        literals = [one for result in compiled.renders for one in result.literals]
        templates = {one for one in (*literals, *compiled.readers.literals) if one.texts}
        if not templates:
            return {}
        if max(len(self._of_nodes), len(self._in_literals)) > MAX_KEPT:
            self._of_nodes.clear()
            self._in_literals.clear()
        secrets = self._secrets_of(compiled)
        found: dict[str, WrittenSecret] = {}
        for one in templates:
            for literal, secret in self._find_in(one, secrets).items():
                found[literal] = min(secret, found.get(literal, secret), key=_rank)
        return found

    def _find_in(self, literals: TemplateLiterals, secrets: Secrets) -> Written:
        key = (literals, secrets)
        known = self._in_literals.get(key)
        if known is None:
            # A test on the joined texts first: nearly no template holds a secret, and each has many
            # literals.
            held = [secret for secret in secrets if secret[0] in literals.texts]
            found = [
                (one.value, WrittenSecret(text, path, one.path))
                for text, path in held
                for one in literals.all
                if isinstance(one.value, str) and text in one.value and not one.is_fixed
            ]
            found.sort(key=lambda one: _rank(one[1]), reverse=True)
            known = self._in_literals[key] = dict(found)
        return known

    def _secrets_of(self, compiled: CompiledPillar) -> Secrets:
        shown = compiled.readers.shown
        trees: Iterable[MapNode] = (compiled.tree,) if shown is None else (compiled.tree, shown)
        return frozenset[tuple[str, KeyPath]]().union(
            *(
                self._below((key,), (key,), node)
                for tree in trees
                for key, node in tree.items.items()
            )
        )

    def _below(self, path: KeyPath, asked: KeyPath, node: Node) -> Secrets:
        """Return the secrets below a node; minions share most of what is in what they do not."""
        if isinstance(node, Leaf):
            return self._of_leaf(path, asked, node)
        known = self._of_nodes.get((path, asked, node))
        if known is None:
            members = self._taint_readers.members(asked, node)
            found = [
                self._below((*path, key), below, item)
                for key, below, item in members
                if not isinstance(item, Leaf) or isinstance(item.value, str)
            ]
            known = NONE.union(*filter(None, found))
            self._of_nodes[path, asked, node] = known
        return known

    def _of_leaf(self, path: KeyPath, asked: KeyPath, leaf: Leaf) -> Secrets:
        value = leaf.value
        if not (isinstance(value, str) and self._taint_readers.is_secret(asked, leaf)):
            return NONE
        if not is_distinctive(value, path):
            return NONE
        return frozenset(((value.strip(), path if is_text_of_tree(path, leaf) else ()),))


def is_text_of_tree(path: KeyPath, leaf: Leaf) -> bool:
    """Say whether a secret is in the tree unchanged, so that its copies may name it."""
    origin = leaf.origins[-1] if leaf.origins else None
    keys = tuple(key for key in path if not isinstance(key, int))
    return source_of(leaf.value, "", origin, keys, leaf.secret).kind == "text"


def _rank(secret: WrittenSecret) -> tuple[int, bool, int, str]:
    """Return what puts the longest secret first, and of its places the shortest."""
    path = secret.path or secret.names
    return -len(secret.text), not secret.path, len(path), str(path)
