"""Finds the placeholder of a secret where a value contains the secret's text.

If a value is computed from a secret and contains its text, the same value with placeholders
contains the placeholder in the same form. If the text is there by chance, or as a guess, it does
not.
"""

from functools import cached_property

from pillarbook.model import KeyPath, Leaf, Node, leaves
from pillarbook.model.limited_cache import LimitedCache, recall
from pillarbook.redact.placeholders import SecretPlaceholders
from pillarbook.redact.secret_search import SecretSearch
from pillarbook.taint.gather_sources import TaintSource
from pillarbook.taint.tree_differences import DifferenceKind, TreeDifference

MAX_SEARCHES = 64
"""The most searches that are cached; similar minions share one."""


class TextSearches:
    """Returns searches for texts in every form; similar minions share one."""

    def __init__(self) -> None:
        # By the clear texts. The limit is small, as each entry holds secrets in all their forms.
        self._made = LimitedCache[tuple[str | None, ...], SecretSearch](MAX_SEARCHES)

    def search_for(self, texts: tuple[str | None, ...]) -> SecretSearch:
        """Return a search that finds texts by their positions among them."""
        given = ((number, text) for number, text in enumerate(texts) if text is not None)
        return recall(self._made, texts, lambda: SecretSearch.of(given))


class PlaceholderCopies:
    """Looks for placeholders in a compile in which all secrets were replaced."""

    def __init__(
        self, tree: Node, placeholders: SecretPlaceholders, searches: TextSearches
    ) -> None:
        self.searches = searches
        """Returns searches for texts."""
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
        if found.kind is not DifferenceKind.VALUE or root.secret is None or root.written is None:
            return False
        made = self._placeholders.of_value(root.written, root.secret)
        value = self._texts.get(found.path, "")
        raw = value.encode("utf-8", "surrogatepass")
        return made in value or bool(self.searches.search_for((made,)).ids_in(raw))
