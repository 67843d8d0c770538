"""Finds the placeholder of a secret where a value contains the secret's text.

If a value is computed from a secret and contains its text, the same value with placeholders
contains the placeholder in the same form. If the text is there by chance, or as a guess, it does
not.
"""

from functools import cached_property, lru_cache

from pillarbook.model import KeyPath, Leaf, Node, leaves
from pillarbook.redact.placeholders import SecretPlaceholders
from pillarbook.redact.secret_search import SecretSearch
from pillarbook.taint.gather_sources import TaintSource
from pillarbook.taint.tree_differences import DifferenceKind, TreeDifference

MAX_SEARCHES = 64
"""The most searches that are cached; similar minions share one."""


# By the clear texts, so similar minions share an automaton. The limit is small because each entry
# holds secrets in all their forms.
@lru_cache(maxsize=MAX_SEARCHES)
def search_for(texts: tuple[str | None, ...]) -> SecretSearch:
    """Return a search for some texts in every form."""
    return SecretSearch.of((number, text) for number, text in enumerate(texts) if text is not None)


class PlaceholderCopies:
    """Looks for placeholders in a compile in which all secrets were replaced."""

    def __init__(self, tree: Node, placeholders: SecretPlaceholders) -> None:
        self._tree = tree
        self._placeholders = placeholders

    @cached_property
    def _texts(self) -> dict[KeyPath, str]:
        every = ((path, node) for path, node, _ in leaves(self._tree))
        return {
            path: node.value
            for path, node in every
            if isinstance(node, Leaf) and isinstance(node.value, str)
        }

    def holds(self, found: TreeDifference, root: TaintSource) -> bool:
        """Say whether the value at the place of a difference contains that of a secret."""
        if found.kind is not DifferenceKind.VALUE or root.secret is None or root.text is None:
            return False
        made = self._placeholders.of_value(root.text, root.secret)
        value = self._texts.get(found.path, "")
        raw = value.encode("utf-8", "surrogatepass")
        return made in value or bool(search_for((made,)).ids_in(raw))
