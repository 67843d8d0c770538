"""Key paths, each with the form that is shown and the form that rules judge."""

from collections.abc import Hashable, Iterator

from pillarbook.model import KeyPath, ListNode, MapNode, Node
from pillarbook.patterns.named_values import is_named
from pillarbook.redact.redaction_rules import Rules
from pillarbook.redact.secret_names import Names


class PathStep:
    """A key path; equal paths are one object, so it is a cheap key for caches."""

    __slots__ = (
        "_below",
        "_names",
        "_taken",
        "asked",
        "bare",
        "is_open",
        "keys",
        "learned",
        "shown",
    )

    def __init__(
        self,
        names: Names,
        keys: KeyPath = (),
        shown: KeyPath = (),
        bare: KeyPath = (),
        asked: KeyPath = (),
    ) -> None:
        self.keys = keys
        """The keys from the top."""
        self.bare = bare
        """The keys from the top, without list positions."""
        self.shown = shown
        """The keys from the top, as they are shown."""
        self.asked = asked
        """The keys that the rules judge: if a mapping names its value, that name is the last."""
        self.is_open: bool | None = None
        """Whether no key is or holds a secret; None if not computed yet."""
        self.learned: set[Node] = set()
        """The nodes whose secrets at this path were collected."""
        self._names = names
        self._below: dict[Hashable, PathStep] = {}
        self._taken: set[Hashable] = set()
        if keys:
            names.meet(keys[-1])

    def below(self, key: Hashable, name: str | None = None) -> "PathStep":
        """Return the path with another key; 1 and True are different keys.

        Args:
            key: The key.
            name: The name that the mapping gives to the key's value, if it names a secret.
        """
        is_text = key.__class__ is str and name is None
        typed = key if is_text else (key.__class__, key, name)
        step = self._below.get(typed)
        if step is None:
            shown = (*self.shown, self._show(key))
            keys, bare = (*self.keys, key), (*self.bare, key)
            asked = (*self.asked, key) if name is None else (*self.asked, key, name)
            step = self._below[typed] = PathStep(self._names, keys, shown, bare, asked)
        return step

    def at(self, index: int) -> "PathStep":
        """Return the path with another list position."""
        typed = (list, index, None)  # a mapping may have an integer key of the same number
        step = self._below.get(typed)
        if step is None:
            shown = (*self.shown, index)
            keys = (*self.keys, index)
            asked = (*self.asked, index)
            step = self._below[typed] = PathStep(self._names, keys, shown, self.bare, asked)
        return step

    def _show(self, key: Hashable) -> Hashable:
        """Return the key that is shown; with secrets they stay distinct: ``TOKEN``, ``TOKEN~2``."""
        shown = bare = self._names.clean_key(key)
        if shown is not key:
            number = 1
            while shown in self._taken:
                number += 1
                shown = f"{bare}~{number}"
            self._taken.add(shown)
        return shown


def members_of(
    node: MapNode | ListNode, step: PathStep, rules: Rules | None
) -> Iterator[tuple[PathStep, Node]]:
    """Yield the members of a container, each with its path."""
    if isinstance(node, MapNode):
        name = None if rules is None else rules.name_beside(node.items)
        for key, item in node.items.items():
            yield step.below(key, name if name and is_named(key) else None), item
    else:
        for index, item in enumerate(node.items):
            yield step.at(index), item
