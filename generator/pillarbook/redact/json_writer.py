"""Writes clear pillars as redacted JSON, without building a redacted pillar first.

A redacted pillar holds the origins of each value, and JSON does not need them. So the JSON is
written while the tree is walked, and a container that minions share is written once for each path.
Its text depends on the node, the path and the secrets of the run, which must be frozen. The text of
a container with copies of secrets also depends on the minion, because reasons name a path of that
minion.

``PillarTexts.as_json`` writes the same text for the result of ``Redactor.redact``; a property test
compares the two.
"""

import json
from collections.abc import Callable, Mapping
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any, TypeAlias

from pillarbook.model import KeyPath, Leaf, ListNode, MapNode, Node, Origin, to_tagged
from pillarbook.redact.node_redactor import NodeRedactor
from pillarbook.redact.path_steps import PathStep, members_of
from pillarbook.redact.redacted_json import GetToken, stays_mapping, to_json
from pillarbook.redact.redaction_rules import Rules
from pillarbook.redact.secret_search import searchable

if TYPE_CHECKING:
    from pillarbook.redact.copy_search import SecretPaths

NO_SECRETS: frozenset[int] = frozenset()
_ENCODER = json.JSONEncoder(ensure_ascii=False)
Spot: TypeAlias = tuple[Node, PathStep]
"""A container at a path."""
OwnSecrets: TypeAlias = Callable[[], Mapping[int, KeyPath]]
"""Returns the secrets of a minion; called only if there is a copy, because it is slow."""


class JsonWriter:
    """Writes the values below the top-level keys of pillars."""

    def __init__(self, rules: Rules | None, redactor: NodeRedactor, token: GetToken) -> None:
        self._rules = rules
        self._redactor = redactor
        self._token = token
        self._top = redactor.top
        # By node and path, for shared containers only: what a single minion has is written once
        # anyway. Emptied together with the redactor's paths.
        self._texts: dict[Spot, str] = {}
        self._ids: dict[Spot, frozenset[int]] = {}
        self._with_copies: dict[tuple[Spot, SecretPaths], str] = {}
        # By node, if nothing is redacted (`--reveal`); a text is kept from the second use on.
        self._clear: dict[Node, str | None] = {}
        # The state of the tree that is being written.
        self._raws: list[bytes] = []
        self._new: dict[Spot, str] = {}
        self._has_copies = False

    def forget(self) -> None:
        """Empty the caches, because other secrets are known or other path objects are in use."""
        self._top = self._redactor.top
        self._texts.clear()
        self._ids.clear()
        self._with_copies.clear()
        self._clear.clear()

    def encode(self, value: Any) -> str:
        """Return the JSON of redacted data."""
        return _ENCODER.encode(to_json(value, self._token))

    def write_members(
        self, tree: MapNode, own: OwnSecrets, besides: Mapping[Any, str]
    ) -> dict[Any, str]:
        """Return the JSON of each top-level value by the key that is shown.

        Args:
            tree: The pillar.
            own: Returns the minion's own secrets.
            besides: JSON that replaces the value of a key, such as ``_errors``.
        """
        if self._top is not self._redactor.top:
            self.forget()
        self._raws, self._new, self._has_copies = [], {}, False
        members = list(members_of(tree, self._top, self._rules))
        if self._rules is None:
            return {
                step.shown[-1]: besides.get(step.keys[-1]) or self._write_clear(node)
                for step, node in members
            }
        texts = {
            step.shown[-1]: besides.get(step.keys[-1]) or self._write(node, step, tree.overrode)
            for step, node in members
        }
        if not self._has_copies and not self._ids_in(b"\0".join(self._raws)):
            self._texts.update(self._new)
            return texts
        for step, node in members:
            if step.keys[-1] not in besides:
                text, _ = self._write_copies(node, step, tree.overrode, own)
                texts[step.shown[-1]] = text
        return texts

    def _write_clear(self, node: Node) -> str:
        """Return the JSON of a node without redaction; it does not depend on the path."""
        if isinstance(node, Leaf):
            value = node.value
            return encode_basestring(value) if value.__class__ is str else self.encode(value)
        text = self._clear.get(node)
        if text is None:
            is_shared = node in self._clear
            text = self._write_clear_members(node)
            self._clear[node] = text if is_shared else None
        return text

    def _write_clear_members(self, node: MapNode | ListNode) -> str:
        if isinstance(node, MapNode):
            return write_mapping({key: self._write_clear(one) for key, one in node.items.items()})
        return f"[{', '.join([self._write_clear(one) for one in node.items])}]"

    def _ids_in(self, raw: bytes) -> frozenset[int]:
        everything = self._redactor.copies.everything
        return everything.ids_in(raw) if raw and everything else NO_SECRETS

    def _write(self, node: Node, step: PathStep, before: tuple[Origin, ...]) -> str:
        """Return the JSON of a node, and collect its texts, which are searched for copies later."""
        if isinstance(node, Leaf) or not node.items:
            return self._write_value(self._redactor.value_of(node, step, before))
        spot = None if before else (node, step)
        if spot is not None:
            known = self._texts.get(spot)
            if known is not None:
                return known
            self._has_copies = self._has_copies or spot in self._ids
        before += node.overrode
        pairs = [
            (below.shown[-1], self._write(item, below, before))
            for below, item in members_of(node, step, self._rules)
        ]
        text = _write_container(node, pairs)
        if spot in self._redactor.shared:
            self._new[spot] = text
        return text

    def _write_value(self, value: Any) -> str:
        if value.__class__ is str:
            self._raws.append(value.encode("utf-8", "surrogatepass"))
            return encode_basestring(value)
        raw = searchable(value)
        if raw is not None:
            self._raws.append(raw)
        return self.encode(value)

    def _write_copies(
        self, node: Node, step: PathStep, before: tuple[Origin, ...], own: OwnSecrets
    ) -> tuple[str, frozenset[int]]:
        """Return the JSON of a node with redacted copies, and the secrets that were copied."""
        if isinstance(node, Leaf) or not node.items:
            return self._write_leaf(node, step, before, own)
        spot = None if before else (node, step)
        known = None if spot is None else self._recall(spot, own)
        if known is not None:
            return known
        before += node.overrode
        members = [
            (below.shown[-1], *self._write_copies(item, below, before, own))
            for below, item in members_of(node, step, self._rules)
        ]
        text = _write_container(node, [(key, one) for key, one, _ in members])
        secret_ids = NO_SECRETS.union(*(one for _, _, one in members))
        if spot in self._redactor.shared:
            self._keep(spot, text, secret_ids, own)
        return text, secret_ids

    def _recall(self, spot: Spot, own: OwnSecrets) -> tuple[str, frozenset[int]] | None:
        """Return the cached JSON of a container, and the secrets that it has copies of."""
        text, secret_ids = self._texts.get(spot), self._ids.get(spot)
        if secret_ids is not None:
            text = self._with_copies.get((spot, self._redactor.copies.named(secret_ids, own())))
        return None if text is None else (text, secret_ids or NO_SECRETS)

    def _keep(self, spot: Spot, text: str, secret_ids: frozenset[int], own: OwnSecrets) -> None:
        if secret_ids:
            self._ids[spot] = secret_ids
            self._with_copies[spot, self._redactor.copies.named(secret_ids, own())] = text
        else:
            self._texts[spot] = text

    def _write_leaf(
        self, leaf: Node, step: PathStep, before: tuple[Origin, ...], own: OwnSecrets
    ) -> tuple[str, frozenset[int]]:
        value = self._redactor.value_of(leaf, step, before)
        raw = searchable(value)
        secret_ids = NO_SECRETS if raw is None else self._ids_in(raw)
        if secret_ids:
            known = self._redactor.copies.named(secret_ids, own())
            value = self._redactor.redact_node(leaf, step, before, known).data
        return self.encode(value), secret_ids


def _write_container(node: MapNode | ListNode, pairs: list[tuple[Any, str]]) -> str:
    if isinstance(node, MapNode):
        return write_mapping(dict(pairs))
    return f"[{', '.join([text for _, text in pairs])}]"


def write_mapping(texts: Mapping[Any, str]) -> str:
    """Return the JSON of a mapping, given the JSON of each value by its key."""
    if stays_mapping(texts):
        members = [f"{encode_basestring(key)}: {text}" for key, text in texts.items()]
        return f"{{{', '.join(members)}}}"
    pairs = [f"[{_ENCODER.encode(to_tagged(key))}, {text}]" for key, text in texts.items()]
    return f'{{"$map": [{", ".join(pairs)}]}}'
