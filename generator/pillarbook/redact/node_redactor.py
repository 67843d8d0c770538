"""Parts of pillars, redacted: what is secret in them redacted, the rest as it is.

A node that minions share is redacted once for each path that it is at.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pillarbook.compile.memo import Sifted
from pillarbook.model import (
    KeyPath,
    Leaf,
    MapNode,
    Node,
    Origin,
    Position,
    SecretOrigin,
    distinct_origins,
    plain,
)
from pillarbook.redact.copy_search import NONE, CopySearch, SecretPaths
from pillarbook.redact.key_paths import distinguish
from pillarbook.redact.named_leaves import named_members
from pillarbook.redact.path_steps import PathStep, members_of
from pillarbook.redact.redacted_pillar import Redacted, RedactedLeaf, RedactedOrigin
from pillarbook.redact.redaction_rules import SECRET_KEY, Rules
from pillarbook.redact.secret_names import Names
from pillarbook.redact.secret_sources import source_of
from pillarbook.redact.secret_store import SecretStore
from pillarbook.redact.unredacted_texts import OpenTexts

MAX_PARTS = 200_000
"""Parts kept before all are let go, so that a large fleet does not pile them up."""
MAX_LEARNED = 1_000_000
"""Nodes, with their paths, of which it is kept that their secrets are known."""


@dataclass(frozen=True, slots=True, eq=False)
class RedactedPart:
    """What one node came to; holds no clear secret."""

    data: Any
    """Plain dicts and lists, ``Redacted`` at the secrets; shared, not to be changed."""
    leaves: tuple[RedactedLeaf, ...]
    """The leaves, in order."""
    secrets: tuple[tuple[int, KeyPath], ...]
    """The places of what was redacted, with the paths where it stood."""

    def __repr__(self) -> str:
        """Return how much there is, never a value."""
        return f"Part({len(self.leaves)} leaves)"


class NodeRedactor:
    """Redacts nodes by rules, and puts what is secret into a store."""

    def __init__(self, rules: Rules | None, store: SecretStore) -> None:
        self._rules = rules
        self._store = store
        self.names = Names(store, reveal=rules is None)
        """Rewrites keys and other names."""
        self.top = PathStep(self.names)
        """The path that leads nowhere yet."""
        self.copies = CopySearch(store, self.names)
        """Finds the secrets that are in open texts."""
        # By node, path and copies found in it: the rules look at nothing else. All go together at
        # their limits.
        self._parts: dict[tuple[Node, PathStep, SecretPaths], RedactedPart] = {}
        self._learned = 0
        self.shared: set[tuple[Node, PathStep]] = set()
        """Containers, with their paths, whose secrets were asked for more than once."""
        self._open: dict[RedactedPart, OpenTexts] = {}
        self._secret_leaves: dict[RedactedPart, tuple[RedactedLeaf, ...]] = {}
        self._indexed = Sifted[tuple[Node, KeyPath], bool]()
        self.secret_origins: dict[tuple[Hashable, ...], str] = {}
        """Places in files whose value is secret at its own path there, with the reason."""
        self._secret_lines: set[tuple[Hashable, ...]] = set()
        self._met: set[tuple[Hashable, ...]] = set()
        """Files, SLS and environments whose names are known."""

    def trim(self) -> None:
        """Empty the caches that have reached their limit."""
        if len(self._parts) > MAX_PARTS or self._learned > MAX_LEARNED:
            self.forget()

    def forget(self) -> None:
        """Empty the caches, because their results are no longer valid."""
        self.top = PathStep(self.names)
        self._parts.clear()
        self._learned = 0
        self.shared.clear()
        self._open.clear()
        self._secret_leaves.clear()

    def secret_leaves(self, part: RedactedPart) -> tuple[RedactedLeaf, ...]:
        """Return the values of a part that are secret."""
        known = self._secret_leaves.get(part)
        if known is None:
            found = (leaf for leaf in part.leaves if isinstance(leaf.value, Redacted))
            known = self._secret_leaves[part] = tuple(found)
        return known

    def freeze_secrets(self) -> bool:
        """From now on, look for every secret of the store in every pillar and every name.

        Returns:
            Whether a name that was met so far is shown otherwise now.
        """
        changed = self.names.freeze(self.copies.freeze())
        self._met.clear()
        if changed:
            self.forget()
        return changed

    def find_copies(self, part: RedactedPart, own: Mapping[int, KeyPath]) -> SecretPaths:
        """Return the secrets that are in the open texts of a part, in one form or another."""
        texts = self._open.get(part)
        if texts is None:
            texts = self._open[part] = OpenTexts.of(part.leaves)
        return self.copies.find_in(texts, own)

    def index(self, trees: Iterable[Node | None]) -> bool:
        """Note which origins in the trees of single files are secret at their own paths.

        A mapping that gave way to a text leaves its values' origins behind under the text's path,
        which says nothing about them; in its file each is under its own key.

        Returns:
            Whether there is one that was not noted before.
        """
        before = len(self.secret_origins)
        if self._rules is None:
            return False
        for tree in trees:
            if tree is not None:
                self._index(tree, (), (), self._rules)
        return len(self.secret_origins) > before

    def _index(self, node: Node, asked: KeyPath, before: tuple[Origin, ...], rules: Rules) -> None:
        if not isinstance(node, Leaf):
            before += node.overrode
        if isinstance(node, Leaf) or not node.items:
            mark = node.secret if isinstance(node, Leaf) else None
            for origin in distinct_origins(before + node.origins):
                reason = rules.find_reason(asked, origin.value, mark)
                if reason is not None:
                    self.note_secret_spot(origin.spot, reason)
            return
        # Files of minions that differ in a few values share whatever these are not in.
        if not before:
            spot = node, distinguish(asked)
            if self._indexed.get(spot):
                return
            self._indexed[spot] = True
        for _, below, item in named_members(node, asked, rules):
            self._index(item, below, before, rules)

    def note_secret_spot(self, spot: tuple[Hashable, ...], reason: str) -> None:
        """Note why the value at a place in a file is secret.

        Of several reasons the first in the alphabet is kept, whichever came first.
        """
        known = self.secret_origins.get(spot)
        if known is None or reason < known:
            self.secret_origins[spot] = reason
            self._secret_lines.add(spot[:2])

    def _reason_in_file(self, origin: Origin) -> str | None:
        """Return why an origin is secret at its own path in its file."""
        if (origin.file, origin.line) not in self._secret_lines:
            return None  # told before the spot, which takes longer
        return self.secret_origins.get(origin.spot)

    def collect_secrets(self, node: Node, step: PathStep, before: tuple[Origin, ...] = ()) -> None:
        """Put the secrets of a node into the store as ``redact_node`` does; keep nothing else."""
        if not before and self._is_learned(node, step):
            return
        if isinstance(node, Leaf):
            if not self._is_open(node, step, before):
                self.redact_node(node, step, before)
        elif not node.items:
            self.redact_node(node, step, before + node.overrode)
        else:
            for below, item in members_of(node, step, self._rules):
                self.collect_secrets(item, below, before + node.overrode)

    def _is_learned(self, node: Node, step: PathStep) -> bool:
        """Say whether the secrets of a node were asked for before; from now on they were."""
        if node in step.learned:
            if not isinstance(node, Leaf):
                self.shared.add((node, step))
            return True
        step.learned.add(node)
        self._learned += 1
        return (node, step, NONE) in self._parts

    def value_of(self, leaf: Node, step: PathStep, before: tuple[Origin, ...] = ()) -> Any:
        """Return what is shown of a leaf or an empty container, copies of secrets not looked for.

        Its secrets are put into the store as ``collect_secrets`` does.
        """
        if before:
            return self._redact(leaf, step, before, NONE).data
        if leaf not in step.learned:
            self.collect_secrets(leaf, step)
        part = self._parts.get((leaf, step, NONE))
        return plain(leaf) if part is None else part.data

    def _is_open(self, leaf: Leaf, step: PathStep, before: tuple[Origin, ...]) -> bool:
        """Say whether neither a leaf, nor what it overrode, nor its keys have a secret."""
        value, mark = leaf.value, leaf.secret
        if self._rules is None or not self._has_open_keys(step, self._rules):
            return False
        if self._rules.find_reason(step.asked, value, mark) is not None:
            return False
        origins = distinct_origins(before + leaf.origins)
        if origins and self._reason_in_file(origins[-1]) is not None:
            return False
        for origin in origins:
            self._meet(origin)
            if origin.value is not value and self._reason_of(origin, step.asked, mark) is not None:
                return False
        return True

    @staticmethod
    def _has_open_keys(step: PathStep, rules: Rules) -> bool:
        """Say whether no key of a path is or holds a secret."""
        if step.is_open is None:
            step.is_open = step.shown == step.keys and not rules.secret_keys(step.keys)
        return step.is_open

    def _meet(self, origin: Origin) -> None:
        """Let the names of an origin be known, as where it is shown."""
        names = origin.file, origin.sls, origin.saltenv
        if names in self._met:
            return
        self._met.add(names)
        self.names.clean(origin.file)
        if origin.sls is not None:
            self.names.clean(origin.sls)
        if isinstance(origin.saltenv, str):
            self.names.clean(origin.saltenv)

    def redact_node(
        self, node: Node, step: PathStep, before: tuple[Origin, ...] = (), known: SecretPaths = NONE
    ) -> RedactedPart:
        """Return what a node at a path comes to.

        Args:
            node: The node.
            step: Its path.
            before: Origins that all below overrode.
            known: Secrets that are redacted wherever their texts stand, too.
        """
        if before:
            return self._redact(node, step, before, known)
        key = (node, step, known)
        part = self._parts.get(key)
        if part is None:
            part = self._parts[key] = self._redact(node, step, before, known)
        return part

    def _redact(
        self, node: Node, step: PathStep, before: tuple[Origin, ...], known: SecretPaths
    ) -> RedactedPart:
        if isinstance(node, Leaf):
            origins = distinct_origins(before + node.origins)
            return self._redact_leaf(node.value, origins, node.secret, step, known)
        before += node.overrode
        if not node.items:
            empty: Any = {} if isinstance(node, MapNode) else []
            return self._redact_leaf(
                empty, distinct_origins(before + node.origins), None, step, known
            )
        parts = [
            (one, self.redact_node(item, one, before, known))
            for one, item in members_of(node, step, self._rules)
        ]
        data: Any
        if isinstance(node, MapNode):
            data = {one.shown[-1]: part.data for one, part in parts}
        else:
            data = [part.data for _, part in parts]
        return RedactedPart(
            data,
            tuple(leaf for _, part in parts for leaf in part.leaves),
            tuple(secret for _, part in parts for secret in part.secrets),
        )

    def _redact_leaf(
        self,
        value: Any,
        origins: tuple[Origin, ...],
        mark: str | None,
        step: PathStep,
        known: SecretPaths,
    ) -> RedactedPart:
        if self._rules is None:
            shown = tuple(_open_origin(origin, origin.value) for origin in origins)
            return RedactedPart(value, (RedactedLeaf(step.keys, value, shown),), ())
        secrets: list[tuple[int, KeyPath]] = []

        def redact(clear: Any, reason: str | None, origin: Origin | None, mark: str | None) -> Any:
            is_copy = reason is None
            reason = reason or self.copies.reason_by(clear, known)
            if reason is None:
                return clear
            source = source_of(clear, reason, origin, step.bare, mark)
            place = self._store.place(clear, step.keys, is_copy=is_copy, source=source)
            secrets.append((place, step.keys))
            if origin is not None and origin.line is not None:
                self._store.lines.add((origin.file, origin.line))
            return self._store.redacted(reason, place)

        reason = self._rules.find_reason(step.asked, value, mark)
        if reason is None and origins:
            reason = self._reason_in_file(origins[-1])
        shown_value = redact(value, reason, origins[-1] if origins else None, mark)
        shown_origins = tuple(
            self._show_origin(
                origin,
                shown_value
                if origin.value is value
                else redact(origin.value, self._reason_of(origin, step.asked, mark), origin, None),
            )
            for origin in origins
        )
        secrets += self._secret_keys(step, origins, mark)
        self._note_keys(step, origins)
        leaf = RedactedLeaf(step.shown, shown_value, shown_origins)
        return RedactedPart(shown_value, (leaf,), tuple(dict.fromkeys(secrets)))

    def _secret_keys(
        self, step: PathStep, origins: tuple[Origin, ...], mark: str | None
    ) -> Iterator[tuple[int, KeyPath]]:
        """Put the keys of a path that are secrets themselves into the store, as names are."""
        origin = origins[-1] if origins else None
        for at in self._rules.secret_keys(step.keys) if self._rules is not None else ():
            key, path = step.keys[at], step.keys[:at]
            bare = step.bare[: step.bare.index(key) + 1]
            source = source_of(key, SECRET_KEY, origin, bare, mark)
            yield self._store.place(key, path, source=source), path

    def _note_keys(self, step: PathStep, origins: tuple[Origin, ...]) -> None:
        """Take down keys that hold a secret."""
        if step.shown == step.keys:
            return
        place = Position(origins[-1].file, origins[-1].line) if origins else None
        for key in step.keys:
            self.names.note("a key", key, place)

    def _show_origin(self, origin: Origin, value: Any) -> RedactedOrigin:
        clean = self.names.clean
        return RedactedOrigin(
            clean(origin.file),
            origin.line,
            None if origin.sls is None else clean(origin.sls),
            clean(origin.saltenv) if isinstance(origin.saltenv, str) else origin.saltenv,
            value,
        )

    def _reason_of(self, origin: Origin, path: KeyPath, mark: str | None) -> str | None:
        assert self._rules is not None  # noqa: S101 (asked only where there are rules)
        if isinstance(origin, SecretOrigin):
            mark = mark or origin.secret
        reason = self._rules.find_reason((*path, *origin.below), origin.value, mark)
        return reason if reason is not None else self._reason_in_file(origin)


def _open_origin(origin: Origin, value: Any) -> RedactedOrigin:
    return RedactedOrigin(origin.file, origin.line, origin.sls, origin.saltenv, value)
