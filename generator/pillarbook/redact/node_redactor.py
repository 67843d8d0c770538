"""Redacts parts of pillars: secrets are replaced, everything else stays.

A node that minions share is redacted once for each path.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pillarbook.model import (
    KeyPath,
    Leaf,
    ListNode,
    MapNode,
    Node,
    Origin,
    SecretOrigin,
    distinct_origins,
    plain,
    share_overridden,
)
from pillarbook.model.limited_cache import RecentCache
from pillarbook.model.unknown import Unknown
from pillarbook.redact.copy_search import NONE, CopySearch, SecretPaths
from pillarbook.redact.open_nodes import MAX_RECENT, Place, Places
from pillarbook.redact.path_steps import PathStep, members_of
from pillarbook.redact.redacted_pillar import RedactedLeaf, RedactedOrigin, secret_of
from pillarbook.redact.redaction_rules import SECRET_KEY, Rules
from pillarbook.redact.secret_lines import SecretLines
from pillarbook.redact.secret_names import Names
from pillarbook.redact.secret_sources import answer_at, source_of
from pillarbook.redact.secret_store import SecretStore
from pillarbook.redact.unredacted_texts import UnredactedTexts

MAX_PARTS = 25_000
"""The number of redacted parts after which those that were not asked for again are dropped."""
MAX_MADE = 1_000_000
"""The most pairs of node and path that are redacted or searched, until all caches are emptied."""


@dataclass(frozen=True, slots=True, eq=False)
class RedactedPart:
    """The redacted content of one node; holds no clear secret."""

    data: Any
    """Plain dicts and lists with ``Redacted`` for the secrets; shared, so never change it."""
    leaves: tuple[RedactedLeaf, ...]
    """The leaves, in order."""
    secrets: tuple[tuple[int, KeyPath], ...]
    """The ids of the redacted secrets, with their paths."""

    def __repr__(self) -> str:
        """Return the number of leaves, never a value."""
        return f"Part({len(self.leaves)} leaves)"


class NodeRedactor:
    """Redacts nodes by rules, and adds the secrets to a store."""

    def __init__(self, rules: Rules | None, store: SecretStore) -> None:
        self._rules = rules
        self._store = store
        self.names = (
            Names(store, reveal=True) if rules is None else Names(store, matched=rules.matched_in)
        )
        """Replaces the secrets in keys and other names."""
        self.top = self._new_top()
        """The empty path."""
        self.copies = CopySearch(store, self.names)
        """Finds copies of secrets in texts that are not redacted."""
        # By node, path and copied secrets: the result depends on nothing else. These caches are
        # emptied together.
        self._parts = RecentCache[tuple[Node, PathStep, SecretPaths], RedactedPart](MAX_PARTS)
        self._secrets = RecentCache[tuple[Node, PathStep], tuple[tuple[int, KeyPath], ...]](
            MAX_RECENT
        )
        self._learned = RecentCache[tuple[Node, PathStep], bool](MAX_RECENT)
        self._made = 0
        self._open = RecentCache[RedactedPart, UnredactedTexts](MAX_RECENT)
        self._secret_leaves = RecentCache[RedactedPart, tuple[RedactedLeaf, ...]](MAX_RECENT)
        self.lines = SecretLines(rules)
        """The lines of files whose values are secret there."""
        self._met: set[Place] = set()
        """Files, SLS and environments whose names were passed to ``names``."""
        self._met_places: set[Places] = set()

    def _new_top(self) -> PathStep:
        return PathStep(self.names, None if self._rules is None else self._rules.at(()))

    def trim(self) -> None:
        """Empty the caches that have reached their limit."""
        if self._made > MAX_MADE:
            self.forget()

    def forget(self) -> None:
        """Empty the caches, because their results are no longer valid."""
        self.top = self._new_top()
        self._made = 0
        for one in (self._parts, self._secrets, self._learned, self._open, self._secret_leaves):
            one.clear()

    def secret_leaves(self, part: RedactedPart) -> tuple[RedactedLeaf, ...]:
        """Return the values of a part that are secret."""
        known: tuple[RedactedLeaf, ...] | None = self._secret_leaves.get(part)
        if known is None:
            found = (leaf for leaf in part.leaves if secret_of(leaf.value) is not None)
            known = self._secret_leaves[part] = tuple(found)
        return known

    def freeze_secrets(self) -> bool:
        """Look for every secret of the store in every pillar and every name from now on.

        Return whether a known name is shown differently now.
        """
        changed = self.names.freeze(self.copies.freeze())
        self._met.clear()
        self._met_places.clear()
        if changed:
            self.forget()
        return changed

    def find_copies(self, part: RedactedPart, own: Mapping[int, KeyPath]) -> SecretPaths:
        """Return the secrets that the unredacted texts of a part contain in any form."""
        texts: UnredactedTexts | None = self._open.get(part)
        if texts is None:
            texts = self._open[part] = UnredactedTexts.of(part.leaves)
        return self.copies.find_in(texts, own)

    def collect_secrets(self, node: Node, step: PathStep, before: tuple[Origin, ...] = ()) -> None:
        """Add the secrets of a node to the store as ``redact_node`` does, and build nothing."""
        if isinstance(node, Leaf):
            if not self._is_open(node, step, before):
                self.redact_node(node, step, before)
            return
        if not before and (self._is_learned(node, step) or self.is_open_part(node, step)):
            return
        if not node.items:
            self.redact_node(node, step, before + node.overrode)
        else:
            overridden = share_overridden(node, before + node.overrode)
            for below, item in members_of(node, step, self._rules):
                self.collect_secrets(item, below, overridden(below.keys[-1]))

    def _is_learned(self, node: MapNode | ListNode, step: PathStep) -> bool:
        """Say whether the secrets of a node were collected before, and note that they are now."""
        if self._learned.get((node, step)):
            return True
        self._learned[node, step] = True
        self._made += 1
        return self._parts.get((node, step, NONE)) is not None

    def is_open_part(self, node: MapNode | ListNode, step: PathStep) -> bool:
        """Say whether a container holds no secret but copies of others, and no secret key.

        Keys below it may still be shown otherwise. False is not certain.
        """
        if self._rules is None or step.judged is None or not self._has_open_keys(step, self._rules):
            return False
        if len(step.judged.keys) != len(step.keys):  # a mapping names one of the keys
            return False
        places = self._rules.open_nodes.find(node, step.judged)
        return places is not None and self.are_harmless(places)

    def are_harmless(self, places: Places) -> bool:
        """Say whether no value of some files is secret by its own path in its file.

        Their names are passed to ``names``, as if the origins of values were shown.
        """
        if places not in self._met_places:
            for place in places:
                self._meet(place)
            self._met_places.add(places)
        return not self.lines.any_in(places)

    def secrets_below(
        self, node: Node, step: PathStep, before: tuple[Origin, ...] = ()
    ) -> Sequence[tuple[int, KeyPath]]:
        """Return the ids of the secrets in a node, with their paths."""
        if isinstance(node, Leaf):
            is_open = self._is_open(node, step, before)
            return () if is_open else self.redact_node(node, step, before).secrets
        if not node.items:
            return self.redact_node(node, step, before).secrets
        if not before:
            known = self._secrets.get((node, step))
            if known is not None:
                return known  # type: ignore[no-any-return]  # of the next lines
            if self.is_open_part(node, step):
                return ()
        overridden = share_overridden(node, before + node.overrode)
        found = tuple(
            secret
            for below, item in members_of(node, step, self._rules)
            for secret in self.secrets_below(item, below, overridden(below.keys[-1]))
        )
        if not before:
            self._secrets[node, step] = found
        return found

    def value_of(self, leaf: Node, step: PathStep, before: tuple[Origin, ...] = ()) -> Any:
        """Return a leaf or an empty container as it is shown, without a search for copies.

        Its secrets are added to the store as by ``collect_secrets``.
        """
        if before:
            return self._redact(leaf, step, before, NONE).data
        self.collect_secrets(leaf, step)
        part: RedactedPart | None = self._parts.get((leaf, step, NONE))
        return plain(leaf) if part is None else part.data

    def _is_open(self, leaf: Leaf, step: PathStep, before: tuple[Origin, ...]) -> bool:
        """Say whether a leaf, the values that it overrode and its keys hold no secret."""
        value, mark = leaf.value, leaf.secret
        if value.__class__ is Unknown:
            return False
        if self._rules is None or not self._has_open_keys(step, self._rules):
            return False
        assert step.judged is not None  # noqa: S101 (there are rules)
        if self._rules.judge(step.judged, value, mark) is not None:
            return False
        origins = distinct_origins(before + leaf.origins)
        if origins and self.lines.find_reason(origins[-1], step.judged) is not None:
            return False
        for origin in origins:
            self._meet((origin.file, origin.sls, origin.saltenv))
            if origin.value is not value and self._reason_of(origin, step, mark) is not None:
                return False
        return True

    @staticmethod
    def _has_open_keys(step: PathStep, rules: Rules) -> bool:
        """Say whether no key of a path is or holds a secret."""
        if step.is_open is None:
            step.is_open = step.shown == step.keys and not rules.secret_keys(step.keys)
        return step.is_open

    def _meet(self, place: Place) -> None:
        """Pass the names of an origin to ``names``, as if the origin were shown."""
        if place in self._met:
            return
        self._met.add(place)
        for name in place:
            if isinstance(name, str):
                self.names.clean(name)

    def redact_node(
        self, node: Node, step: PathStep, before: tuple[Origin, ...] = (), known: SecretPaths = NONE
    ) -> RedactedPart:
        """Return the redacted content of a node.

        ``before`` are origins that the node overrode. Copies of ``known`` secrets are redacted as
        well.
        """
        if before:
            return self._redact(node, step, before, known)
        key = (node, step, known)
        part: RedactedPart | None = self._parts.get(key)
        if part is None:
            self._made += 1
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
        overridden = share_overridden(node, before)
        parts = [
            (one, self.redact_node(item, one, overridden(one.keys[-1]), known))
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
        if self._rules is None or step.judged is None:
            shown = tuple(_open_origin(origin, origin.value) for origin in origins)
            return RedactedPart(value, (RedactedLeaf(step.keys, value, shown),), ())
        secrets: list[tuple[int, KeyPath]] = []

        def redact(clear: Any, reason: str | None, origin: Origin | None, mark: str | None) -> Any:
            is_copy = reason is None
            reason = reason or self.copies.reason_by(clear, known)
            if reason is None:
                return clear
            source = source_of(clear, reason, origin, step.bare, mark)
            secret_id = self._store.add(clear, step.keys, is_copy=is_copy, source=source)
            secrets.append((secret_id, step.keys))
            if origin is not None and origin.line is not None:
                self._store.lines.add((origin.file, origin.line))
            return self._store.redacted(reason, secret_id)

        reason = self._rules.judge(step.judged, value, mark)
        if reason is None and origins:
            reason = self.lines.find_reason(origins[-1], step.judged)
        shown_value = redact(value, reason, origins[-1] if origins else None, mark)
        if shown_value.__class__ is Unknown:
            shown_value = self._mark_unknown(shown_value, self._rules, step)
        shown_origins = tuple(
            self._show_origin(
                origin,
                shown_value
                if origin.value is value
                else redact(origin.value, self._reason_of(origin, step, mark), origin, None),
                step,
            )
            for origin in origins
        )
        secrets += self._secret_keys(step, origins, mark)
        self._note_keys(step, origins)
        leaf = RedactedLeaf(step.shown, shown_value, shown_origins)
        return RedactedPart(shown_value, (leaf,), tuple(dict.fromkeys(secrets)))

    def _mark_unknown(self, unknown: Unknown, rules: Rules, step: PathStep) -> Unknown:
        """Return a value that is not known, with what says that it is secret."""
        assert step.judged is not None  # noqa: S101 (there are rules)
        reason = rules.judge_unknown(step.judged, unknown)
        if reason is None:
            return unknown
        secret_id = self._store.add(None, step.keys, source=answer_at(step.bare, unknown.sources))
        return replace(unknown, secret=self._store.redacted(reason, secret_id))

    def _secret_keys(
        self, step: PathStep, origins: tuple[Origin, ...], mark: str | None
    ) -> Iterator[tuple[int, KeyPath]]:
        """Add the keys of a path that are secrets themselves to the store; yield ids and paths."""
        origin = origins[-1] if origins else None
        for at in self._rules.secret_keys(step.keys) if self._rules is not None else ():
            key, path = step.keys[at], step.keys[:at]
            bare = step.bare[: step.bare.index(key) + 1]
            source = source_of(key, SECRET_KEY, origin, bare, mark)
            yield self._store.add(key, path, source=source), path

    def _note_keys(self, step: PathStep, origins: tuple[Origin, ...]) -> None:
        """Note the keys that hold a secret."""
        if step.shown == step.keys:
            return
        position = origins[-1].position if origins else None
        for key in step.keys:
            self.names.note("a key", key, position)

    def _show_origin(self, origin: Origin, value: Any, step: PathStep) -> RedactedOrigin:
        clean, below = self.names.clean, origin.below
        if below and self._rules is not None and step.judged is not None:
            is_secret = self._rules.secret_keys((*step.judged.keys, *below))
            below = () if is_secret else tuple(map(self.names.clean_key, below))
        return RedactedOrigin(
            clean(origin.file),
            origin.line,
            None if origin.sls is None else clean(origin.sls),
            clean(origin.saltenv) if isinstance(origin.saltenv, str) else origin.saltenv,
            value,
            below,
        )

    def _reason_of(self, origin: Origin, step: PathStep, mark: str | None) -> str | None:
        assert self._rules is not None  # noqa: S101 (asked only where there are rules)
        assert step.judged is not None  # noqa: S101 (neither)
        # a value of an overridden container, whose secrets are its own
        if origin.below or origin.replaced:
            mark = None
        if isinstance(origin, SecretOrigin):
            mark = mark or origin.secret
        at = self._rules.at((*step.judged.keys, *origin.below)) if origin.below else step.judged
        reason = self._rules.judge(at, origin.value, mark)
        return reason if reason is not None else self.lines.find_reason(origin, at)


def _open_origin(origin: Origin, value: Any) -> RedactedOrigin:
    place = origin.file, origin.line, origin.sls, origin.saltenv
    return RedactedOrigin(*place, value, origin.below)
