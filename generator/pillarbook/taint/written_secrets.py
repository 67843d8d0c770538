"""Secrets of a minion's pillar that its templates contain as literals.

A literal that contains a password of the same minion's pillar gets a placeholder, like the password
in the pillar, because a template may compute anything from it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.renderers.jinja.template_secrets import TemplateLiterals
from pillarbook.model import KeyPath, Leaf, MapNode, Node
from pillarbook.patterns.distinctive import SHORTEST_MIXED, is_distinctive
from pillarbook.redact import Rules
from pillarbook.redact.judged_paths import JudgedPath, judged_members
from pillarbook.redact.secret_sources import source_of

MAX_KEPT = 20_000
"""The most entries of each cache; then the cache is emptied."""
MAX_PARTS = 50_000
"""The most parts of literals that are known; with more, each value is judged."""
Secret = tuple[str, KeyPath]
"""A text with its keys; no keys if it was decrypted."""
Secrets = frozenset[Secret]
NONE: Secrets = frozenset()


@dataclass(frozen=True, slots=True)
class WrittenSecret:
    """A secret in a literal."""

    text: str
    """Its text."""
    path: KeyPath
    """The pillar keys that name it; empty if the name would show that a guess is right."""
    names: KeyPath
    """The variables to which the template assigns the literal."""

    def __repr__(self) -> str:
        """Return its names, never the text."""
        return f"WrittenSecret({self.path!r}, {self.names!r})"


Written = Mapping[str, WrittenSecret]
"""Literals, each with the secret that it contains."""


class WrittenSecrets:
    """Finds secrets in literals; what minions share is processed once."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        # By the paths and the shared node: the result depends on nothing else, because keys are
        # judged from the top.
        self._of_nodes: dict[tuple[KeyPath, JudgedPath, Node], Secrets] = {}
        # Literals by the text of the template, secrets by their set of nodes, since minions share
        # both. Emptied together at the limit.
        self._in_literals: dict[tuple[TemplateLiterals, Secrets], Written] = {}
        self._beginnings = _Beginnings()

    def find(self, compiled: CompiledPillar) -> Written:
        """Return the literals that contain a secret of a minion, each with this secret.

        This includes the literals that a template joins to a secret.
        """
        parts = (one for one in compiled.named if one.is_part)
        found = {one.value: WrittenSecret(one.value, (), one.path) for one in parts}
        # Sorted, because sets have no fixed order, and the order decides what the trials find if
        # there are too few of them.
        return dict(sorted((found | self._find_whole(compiled)).items()))

    def _find_whole(self, compiled: CompiledPillar) -> dict[str, WrittenSecret]:
        literals = [one for result in compiled.renders for one in result.literals]
        templates = {one for one in (*literals, *compiled.readers.literals) if one.texts}
        if not templates:
            return {}
        if max(len(self._of_nodes), len(self._in_literals)) > MAX_KEPT:
            self._of_nodes.clear()
            self._in_literals.clear()
        if self._beginnings.add(templates):
            self._of_nodes.clear()  # without the secrets that no earlier literal contains
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
            # First a quick test of the joined texts: few templates contain a secret, and each has
            # many literals.
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
        top = self._rules.at(())
        found = (
            self._below((key,), top.below(key), node)
            for tree in trees
            for key, node in tree.items.items()
            if self._beginnings.may_be_in(node)
        )
        return NONE.union(*filter(None, found))

    def _below(self, path: KeyPath, at: JudgedPath, node: Node) -> Secrets:
        """Return the secrets below a node; the results of shared nodes are cached."""
        if isinstance(node, Leaf):
            return self._of_leaf(path, at, node)
        known = self._of_nodes.get((path, at, node))
        if known is None:
            found = [
                self._below((*path, key), below, item)
                for key, below, item in judged_members(node, at, self._rules)
                if self._beginnings.may_be_in(item)
            ]
            known = NONE.union(*filter(None, found))
            self._of_nodes[path, at, node] = known
        return known

    def _of_leaf(self, path: KeyPath, at: JudgedPath, leaf: Leaf) -> Secrets:
        value = leaf.value
        if not (isinstance(value, str) and self._rules.judge(at, value, leaf.secret)):
            return NONE
        if not is_distinctive(value, path):
            return NONE
        return frozenset(((value.strip(), path if is_text_of_tree(path, leaf) else ()),))


class _Beginnings:
    """What a distinctive secret may begin with if a literal contains it.

    Few values of a pillar begin like a part of a literal, and only these need to be judged.
    """

    def __init__(self) -> None:
        self._met: set[TemplateLiterals] = set()
        self._texts: set[str] = set()
        # Each part of a literal that has as many characters as the shortest distinctive secret.
        self._parts: set[str] = set()
        # By the node, which never changes; emptied with each new part.
        self._nodes: dict[Node, bool] = {}

    def add(self, templates: Iterable[TemplateLiterals]) -> bool:
        """Add the literals of templates, and say whether there are new ones."""
        new = {one.value for some in templates if some not in self._met for one in some.all}
        self._met.update(templates)
        texts = {one for one in new if isinstance(one, str)} - self._texts
        self._texts |= texts
        before = len(self._parts)
        if before <= MAX_PARTS:
            self._parts.update(
                one[at : at + SHORTEST_MIXED]
                for one in texts
                for at in range(len(one) - SHORTEST_MIXED + 1)
            )
        if len(self._parts) > before or len(self._nodes) > MAX_KEPT:
            self._nodes.clear()
        return len(self._parts) > before

    def may_be_in(self, node: Node) -> bool:
        """Say whether a literal may contain a value of a node."""
        if isinstance(node, Leaf):
            if not isinstance(node.value, str):
                return False
            begin = node.value.strip()[:SHORTEST_MIXED]
            return begin in self._parts or len(self._parts) > MAX_PARTS
        known = self._nodes.get(node)
        if known is None:
            items = node.items.values() if isinstance(node, MapNode) else node.items
            known = self._nodes[node] = any(map(self.may_be_in, items))
        return known


def is_text_of_tree(path: KeyPath, leaf: Leaf) -> bool:
    """Say whether a secret is plain text of the tree, so that reasons may name it."""
    origin = leaf.origins[-1] if leaf.origins else None
    keys = tuple(key for key in path if not isinstance(key, int))
    return source_of(leaf.value, "", origin, keys, leaf.secret).kind == "text"


def _rank(secret: WrittenSecret) -> tuple[int, bool, int, str]:
    """Return a sort key: the longest secret first, then the shortest path."""
    path = secret.path or secret.names
    return -len(secret.text), not secret.path, len(path), str(path)
