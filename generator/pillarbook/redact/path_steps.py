"""Key paths, each with the form that is shown and the form that rules judge."""

from collections.abc import Hashable, Iterator, Mapping
from json.encoder import encode_basestring

from pillarbook.model import KeyPath, ListNode, MapNode, Node
from pillarbook.redact.judged_paths import JudgedPath
from pillarbook.redact.redaction_rules import Rules
from pillarbook.redact.secret_names import Names

NO_NAMES: Mapping[Hashable, str] = {}


class PathStep:
    """A key path; equal paths are one object, so it is a cheap key for caches."""

    __slots__ = (
        "_below",
        "_label",
        "_names",
        "_taken",
        "bare",
        "is_open",
        "judged",
        "keys",
        "shown",
    )

    def __init__(
        self,
        names: Names,
        judged: JudgedPath | None,
        keys: KeyPath = (),
        shown: KeyPath = (),
        bare: KeyPath = (),
    ) -> None:
        self.keys = keys
        """The keys from the top."""
        self.bare = bare
        """The keys from the top, without list positions."""
        self.shown = shown
        """The keys from the top, as they are shown."""
        self.judged = judged
        """The keys that the rules judge: if a mapping names its value, that name is the last. None
        if everything is revealed."""
        self.is_open: bool | None = None
        """Whether no key is or holds a secret; None if not computed yet."""
        self._names = names
        self._label: str | None = None
        self._below: dict[Hashable, PathStep] = {}
        self._taken: set[Hashable] = set()
        if keys:
            names.meet(keys[-1])

    @property
    def label(self) -> str:
        """The last key and a colon as JSON; empty if the key is shown otherwise or needs a tag."""
        if self._label is None:
            key = self.keys[-1]
            is_plain = isinstance(key, str) and key[:1] != "$" and self.shown[-1] == key
            self._label = f"{encode_basestring(str(key))}: " if is_plain else ""
        return self._label

    def below(self, key: Hashable, name: str | None = None) -> "PathStep":
        """Return the path with another key; 1 and True are different keys.

        ``name`` is what the mapping calls the key's value, if it names a secret.
        """
        is_text = key.__class__ is str and name is None
        typed = key if is_text else (key.__class__, key, name)
        step = self._below.get(typed)
        if step is None:
            judged = self._judge(key, name)
            shown = (*self.shown, self._show(key))
            keys, bare = (*self.keys, key), (*self.bare, key)
            step = self._below[typed] = PathStep(self._names, judged, keys, shown, bare)
        return step

    def at(self, index: int, name: str | None = None) -> "PathStep":
        """Return the path with another list position; ``name`` is as for ``below``."""
        typed = (list, index, name)  # a mapping may have an integer key of the same number
        step = self._below.get(typed)
        if step is None:
            shown, keys = (*self.shown, index), (*self.keys, index)
            judged = self._judge(index, name)
            step = self._below[typed] = PathStep(self._names, judged, keys, shown, self.bare)
        return step

    def _judge(self, key: Hashable, name: str | None) -> JudgedPath | None:
        judged = None if self.judged is None else self.judged.below(key)
        return judged if judged is None or name is None else judged.below(name)

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
    names = NO_NAMES if rules is None else rules.names_beside(node.items)
    if isinstance(node, MapNode):
        for key, item in node.items.items():
            yield step.below(key, names.get(key) if names else None), item
    else:
        for index, item in enumerate(node.items):
            yield step.at(index, names.get(index) if names else None), item
