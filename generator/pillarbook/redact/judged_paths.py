"""Key paths as the rules judge them; equal paths are one object, a cheap key for caches."""

from collections.abc import Callable, Hashable, Iterator
from typing import TYPE_CHECKING

from pillarbook.model import KeyPath, ListNode, MapNode, Node

if TYPE_CHECKING:
    from pillarbook.patterns.key_paths import PathFacts
    from pillarbook.redact.redaction_rules import Rules


class JudgedPath:
    """A key path, and what it tells about its value.

    If a mapping names its value, that name follows the key of the value.
    """

    __slots__ = ("_at", "_below", "facts", "is_silent", "keys")

    def __init__(
        self,
        keys: KeyPath,
        facts: "PathFacts",
        at: "Callable[[KeyPath], JudgedPath]",
        *,
        is_silent: bool,
    ) -> None:
        self.keys = keys
        """The keys."""
        self.facts = facts
        """What they tell about a value."""
        self.is_silent = is_silent
        """Whether only the looks of a value may decide that it is secret."""
        self._at = at
        self._below: dict[Hashable, JudgedPath] = {}

    def below(self, key: Hashable) -> "JudgedPath":
        """Return the path with another key or list position; 1 and True are different keys."""
        typed = key if key.__class__ is str else (key.__class__, key)
        found = self._below.get(typed)
        if found is None:
            found = self._below[typed] = self._at((*self.keys, key))
        return found


def judged_members(
    node: MapNode | ListNode, at: JudgedPath, rules: "Rules"
) -> Iterator[tuple[Hashable, JudgedPath, Node]]:
    """Yield ``(key, path, node)`` for each member of a container."""
    names = rules.names_beside(node.items)
    for key, item in enumerate(node.items) if isinstance(node, ListNode) else node.items.items():
        below = at.below(key)
        yield key, below.below(names[key]) if key in names else below, item
