"""Parts of pillars, sifted: what is secret in them put away, the rest as it is.

A node that minions share is sifted once for each path that it stands at.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pillarbook.model import KeyPath, Leaf, MapNode, Node, Origin, leaves, settle
from pillarbook.redact.model import Redacted, RedactedLeaf, RedactedOrigin
from pillarbook.redact.rules import Rules
from pillarbook.redact.secrets import SecretStore, is_telling

MOST_PARTS = 200_000
"""Parts kept before all are let go, so that a large fleet does not pile them up."""
Known: TypeAlias = tuple[tuple[str, str], ...]
"""Secrets of the same minion, with the key paths they stand at: ``((clear, path), ...)``."""


class PathStep:
    """A key path; one object for each, so that it can stand for its keys and their types."""

    __slots__ = ("_below", "keys")

    def __init__(self, keys: KeyPath = ()) -> None:
        self.keys = keys
        """The keys from the top."""
        self._below: dict[tuple[type, Hashable], PathStep] = {}

    def below(self, key: Hashable) -> "PathStep":
        """Return the path with one key more; 1 and True are two keys."""
        typed = (key.__class__, key)
        step = self._below.get(typed)
        if step is None:
            step = self._below[typed] = PathStep((*self.keys, key))
        return step


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What one node came to; holds no clear secret but in ``secrets``."""

    data: Any
    """Plain dicts and lists, ``Redacted`` at the secrets; shared, not to be changed."""
    leaves: tuple[RedactedLeaf, ...]
    """The leaves, in order."""
    secrets: tuple[tuple[str, KeyPath], ...]
    """The texts that were put away, with the paths where they stood."""

    def __repr__(self) -> str:
        """Return how much there is, never a value."""
        return f"Part({len(self.leaves)} leaves)"


class Sifter:
    """Sifts nodes by rules, and puts what is secret into a store.

    Args:
        rules: What is secret; None for nothing.
        store: Takes the clear values.
    """

    def __init__(self, rules: Rules | None, store: SecretStore) -> None:
        self._rules = rules
        self._store = store
        self.top = PathStep()
        """The path that leads nowhere yet."""
        self._parts: dict[tuple[Node, PathStep, Known], Part] = {}
        self._open: dict[Part, OpenTexts] = {}
        self._indexed: set[Node] = set()
        self._secret_origins: dict[Hashable, str] = {}

    def trim(self) -> None:
        """Let go of what is kept, where it has become much."""
        if len(self._parts) > MOST_PARTS:
            self.top = PathStep()
            self._parts.clear()
            self._open.clear()

    def open_texts(self, part: Part) -> "OpenTexts":
        """Return the texts of a part that are not secret."""
        known = self._open.get(part)
        if known is None:
            known = self._open[part] = OpenTexts.of(part)
        return known

    def index(self, trees: Iterable[Node | None]) -> None:
        """Note which origins in the trees of single files are secret at their own paths.

        A mapping that gave way to a text leaves its values' origins behind under the text's path,
        which says nothing about them; in its file each stands under its own key.
        """
        if self._rules is None:
            return
        for tree in trees:
            if tree is None or tree in self._indexed:
                continue
            self._indexed.add(tree)
            for path, node, origins in leaves(tree):
                mark = node.secret if isinstance(node, Leaf) else None
                for origin in origins:
                    reason = self._rules.find_reason(path, origin.value, mark)
                    if reason is not None:
                        self._secret_origins[origin.spot] = reason

    def sift(
        self, node: Node, step: PathStep, before: tuple[Origin, ...] = (), known: Known = ()
    ) -> Part:
        """Return what a node at a path comes to.

        Args:
            node: The node.
            step: Its path.
            before: Origins that all below overrode.
            known: Secrets that are put away wherever their texts stand, too.
        """
        if before:
            return self._sift(node, step, before, known)
        key = (node, step, known)
        part = self._parts.get(key)
        if part is None:
            part = self._parts[key] = self._sift(node, step, before, known)
        return part

    def _sift(self, node: Node, step: PathStep, before: tuple[Origin, ...], known: Known) -> Part:
        if isinstance(node, Leaf):
            origins = settle(before + node.origins)
            return self._sift_leaf(node.value, origins, node.secret, step, known)
        before += node.overrode
        if not node.items:
            empty: Any = {} if isinstance(node, MapNode) else []
            return self._sift_leaf(empty, settle(before + node.origins), None, step, known)
        members = node.items.items() if isinstance(node, MapNode) else enumerate(node.items)
        parts = [(key, self.sift(item, step.below(key), before, known)) for key, item in members]
        data: Any
        if isinstance(node, MapNode):
            data = {key: part.data for key, part in parts}
        else:
            data = [part.data for _, part in parts]
        return Part(
            data,
            tuple(leaf for _, part in parts for leaf in part.leaves),
            tuple(secret for _, part in parts for secret in part.secrets),
        )

    def _sift_leaf(
        self,
        value: Any,
        origins: tuple[Origin, ...],
        mark: str | None,
        step: PathStep,
        known: Known,
    ) -> Part:
        if self._rules is None:
            shown = tuple(_open_origin(origin, origin.value) for origin in origins)
            return Part(value, (RedactedLeaf(step.keys, value, shown),), ())
        secrets: list[tuple[str, KeyPath]] = []

        def put_away(clear: Any, reason: str | None) -> Any:
            reason = reason or _reason_by_known(clear, known)
            if reason is None:
                return clear
            if isinstance(clear, str):
                secrets.append((clear, step.keys))
            return Redacted(reason, self._store.place(clear))

        shown_value = put_away(value, self._rules.find_reason(step.keys, value, mark))
        shown_origins = tuple(
            _open_origin(
                origin,
                shown_value
                if origin.value is value
                else put_away(origin.value, self._reason_of(origin, step.keys, mark)),
            )
            for origin in origins
        )
        leaf = RedactedLeaf(step.keys, shown_value, shown_origins)
        return Part(shown_value, (leaf,), tuple(dict.fromkeys(secrets)))

    def _reason_of(self, origin: Origin, path: KeyPath, mark: str | None) -> str | None:
        assert self._rules is not None  # noqa: S101 (asked only where there are rules)
        reason = self._rules.find_reason((*path, *origin.below), origin.value, mark)
        return reason if reason is not None else self._secret_origins.get(origin.spot)


@dataclass(slots=True, eq=False)
class OpenTexts:
    """The texts of a part that were not put away, to look for secrets of other parts in."""

    texts: frozenset[str]
    """Each of them."""
    joined: str
    """All of them."""
    innocent: set[str]
    """Secrets known not to be in them."""

    @classmethod
    def of(cls, part: Part) -> "OpenTexts":
        """Return the open texts of a part, overridden values included."""
        values = [leaf.value for leaf in part.leaves]
        values += [origin.value for leaf in part.leaves for origin in leaf.origins]
        texts = frozenset(value for value in values if isinstance(value, str))
        return cls(texts, "\0".join(texts), set())

    def find(self, secrets: Mapping[str, KeyPath]) -> list[str]:
        """Return those of some secrets that stand in the texts."""
        found = []
        for secret in secrets.keys() - self.innocent:
            if secret in self.texts or (is_telling(secret) and secret.strip() in self.joined):
                found.append(secret)
            else:
                self.innocent.add(secret)
        return sorted(found)


def _reason_by_known(value: Any, known: Known) -> str | None:
    if not known or not isinstance(value, str):
        return None
    for secret, path in known:
        if value == secret:
            return f"same as {path}"
    for secret, path in known:
        if is_telling(secret) and secret.strip() in value:
            return f"holds {path}"
    return None


def _open_origin(origin: Origin, value: Any) -> RedactedOrigin:
    return RedactedOrigin(origin.file, origin.line, origin.sls, origin.saltenv, value)
