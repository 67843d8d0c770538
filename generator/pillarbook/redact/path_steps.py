"""Key paths as they are, and as they are shown."""

from collections.abc import Hashable, Iterator

from pillarbook.model import KeyPath, ListNode, MapNode, Node
from pillarbook.redact.secret_names import Names


class PathStep:
    """A key path; one object for each, so that it can stand for its keys and their types."""

    __slots__ = ("_below", "_names", "_taken", "bare", "keys", "shown")

    def __init__(
        self, names: Names, keys: KeyPath = (), shown: KeyPath = (), bare: KeyPath = ()
    ) -> None:
        self.keys = keys
        """The keys from the top."""
        self.bare = bare
        """The keys from the top, without list positions."""
        self.shown = shown
        """The keys from the top, as they are shown."""
        self._names = names
        self._below: dict[tuple[type, Hashable], PathStep] = {}
        self._taken: set[Hashable] = set()
        if keys:
            names.meet(keys[-1])

    def below(self, key: Hashable) -> "PathStep":
        """Return the path with one key more; 1 and True are two keys."""
        typed = (key.__class__, key)
        step = self._below.get(typed)
        if step is None:
            shown = (*self.shown, self._show(key))
            keys, bare = (*self.keys, key), (*self.bare, key)
            step = self._below[typed] = PathStep(self._names, keys, shown, bare)
        return step

    def at(self, index: int) -> "PathStep":
        """Return the path with a position in a list more."""
        typed = (int, index)
        step = self._below.get(typed)
        if step is None:
            shown = (*self.shown, index)
            keys = (*self.keys, index)
            step = self._below[typed] = PathStep(self._names, keys, shown, self.bare)
        return step

    def _show(self, key: Hashable) -> Hashable:
        """Return a key as it is shown; two that hold one secret stay two."""
        shown = bare = self._names.clean_key(key)
        if shown is not key:
            number = 1
            while shown in self._taken:
                number += 1
                shown = f"{bare}~{number}"
            self._taken.add(shown)
        return shown


def members_of(node: MapNode | ListNode, step: PathStep) -> Iterator[tuple[PathStep, Node]]:
    """Yield what is in a container, each with its path."""
    if isinstance(node, MapNode):
        for key, item in node.items.items():
            yield step.below(key), item
    else:
        for index, item in enumerate(node.items):
            yield step.at(index), item
