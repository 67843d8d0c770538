"""Writes clear pillars as redacted JSON, without building a redacted pillar first.

A redacted pillar holds the origins of each value, and JSON does not need them. So the JSON is
written while the tree is walked, and a container that minions share is written once for each path.
Its text depends on the node, the path and the secrets of the run, which must be frozen. The text of
a container with copies of secrets also depends on the minion, because reasons name a path of that
minion.

``PillarTexts.as_json`` writes the same text for the result of ``Redactor.redact``; a property test
compares the two.
"""

from collections.abc import Callable, Container, Hashable, Iterator, Mapping, Sequence
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any, TypeAlias

from pillarbook.model import (
    KeyPath,
    Leaf,
    ListNode,
    MapNode,
    Node,
    Origin,
    share_overridden,
    to_tagged,
    write_as_salt,
)
from pillarbook.model.limited_cache import RecentCache
from pillarbook.redact.node_redactor import NodeRedactor
from pillarbook.redact.path_steps import PathStep, members_of
from pillarbook.redact.redacted_json import GetToken, stays_mapping, to_json
from pillarbook.redact.redaction_rules import Rules
from pillarbook.redact.secret_search import searchable

if TYPE_CHECKING:
    from pillarbook.redact.copy_search import SecretPaths

NO_SECRETS: frozenset[int] = frozenset()
MAX_MET = 10_000
"""The number of containers after which those that were not written again are forgotten."""
Spot: TypeAlias = tuple[Node, PathStep]
"""A container at a path."""
OwnSecrets: TypeAlias = Callable[[], Mapping[int, KeyPath]]
"""Returns the secrets of a minion; called only if there is a copy, because it is slow."""


class _Draft:
    """A top-level value that is being written."""

    __slots__ = ("has_copies", "node", "others", "shared", "step", "texts")

    def __init__(self, step: PathStep, node: Node) -> None:
        self.step = step
        self.node = node
        self.texts: list[str] = []
        """Its texts that are not redacted."""
        self.others: list[bytes] = []
        """Other values that are searched, as bytes."""
        self.shared: dict[Spot, str] = {}
        """Its parts that minions share, written for the first time."""
        self.has_copies = False
        """Whether a part that minions share is known to have copies of secrets."""

    def raw(self) -> bytes:
        """Return what is searched for copies of secrets."""
        raw = "\0".join(self.texts).encode("utf-8", "surrogatepass")
        return b"\0".join((raw, *self.others)) if self.others else raw


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
        self._met = RecentCache[Hashable, bool](MAX_MET)
        # By node, if nothing is redacted (`--reveal`).
        self._clear: dict[Node, str] = {}
        self._draft = _Draft(redactor.top, MapNode({}, ()))

    def forget(self) -> None:
        """Empty the caches, because other secrets are known or other path objects are in use."""
        self._top = self._redactor.top
        self._texts.clear()
        self._ids.clear()
        self._with_copies.clear()
        self._clear.clear()
        self._met.clear()

    def _is_shared(self, spot: Hashable) -> bool:
        """Say whether a container was written before, so that minions share it."""
        if self._met.get(spot):
            return True
        self._met[spot] = True
        return False

    def encode(self, value: Any) -> str:
        """Return the JSON of redacted data."""
        return write_as_salt(to_json(value, self._token))

    def write_members(
        self,
        tree: MapNode,
        closed: Container[Hashable] | None,
        own: OwnSecrets,
        besides: Mapping[Any, str],
    ) -> dict[Any, str]:
        """Return the JSON of each top-level value by the key that is shown.

        Only the values of ``closed`` keys may hold a secret by the rules; None for all keys.
        ``besides`` replaces the value of a key, such as ``_errors``.
        """
        if self._top is not self._redactor.top:
            self.forget()
        members = members_of(tree, self._top, self._rules)
        if self._rules is None:
            return {
                step.shown[-1]: besides.get(step.keys[-1]) or self._write_clear(node)
                for step, node in members
            }
        overridden = share_overridden(tree, tree.overrode)
        texts: dict[Any, str] = {}
        drafts = []
        for step, node in members:
            key = step.keys[-1]
            text = besides.get(key)
            if text is None:
                draft = self._draft = _Draft(step, node)
                if closed is not None and key not in closed and step.label:
                    text = self._write_open(node, step)
                else:
                    text = self._write(node, step, overridden(key))
                if draft.texts or draft.others or draft.has_copies:
                    drafts.append(draft)
            texts[step.shown[-1]] = text
        for draft in self._find_copies(drafts):
            before = overridden(draft.step.keys[-1])
            text, _ = self._write_copies(draft.node, draft.step, before, own)
            texts[draft.step.shown[-1]] = text
        return texts

    def _find_copies(self, drafts: Sequence["_Draft"]) -> Iterator["_Draft"]:
        """Yield the values that have copies of secrets; the texts of shared parts are kept."""
        has_copies = any(draft.has_copies for draft in drafts)
        has_copies = has_copies or bool(self._ids_in(b"\0".join(map(_Draft.raw, drafts))))
        for draft in drafts:
            if has_copies and (draft.has_copies or self._ids_in(draft.raw())):
                self._draft = draft
                yield draft
            else:
                self._texts.update(draft.shared)

    def _write_clear(self, node: Node) -> str:
        """Return the JSON of a node without redaction; it does not depend on the path."""
        if isinstance(node, Leaf):
            value = node.value
            return encode_basestring(value) if value.__class__ is str else self.encode(value)
        text = self._clear.get(node)
        if text is None:
            text = self._write_clear_members(node)
            if self._is_shared(node):
                self._clear[node] = text
        return text

    def _write_clear_members(self, node: MapNode | ListNode) -> str:
        if isinstance(node, MapNode):
            return write_mapping({key: self._write_clear(one) for key, one in node.items.items()})
        return f"[{', '.join([self._write_clear(one) for one in node.items])}]"

    def _ids_in(self, raw: bytes) -> frozenset[int]:
        everything = self._redactor.copies.everything
        return everything.ids_in(raw) if raw and everything else NO_SECRETS

    def _write(self, node: Node, step: PathStep, before: tuple[Origin, ...]) -> str:
        """Return the JSON of a node, and collect its texts, which are searched for copies later.

        The result is not used if the value that is being written has copies.
        """
        if isinstance(node, Leaf) or not node.items:
            return self._write_value(self._redactor.value_of(node, step, before))
        if before:
            return self._write_members(node, step, before)
        known = self._recall_plain((node, step))
        if known is not None:
            return known
        if self._redactor.is_open_part(node, step):
            return self._keep_plain((node, step), self._write_open_members(node, step))
        return self._keep_plain((node, step), self._write_members(node, step, before))

    def _recall_plain(self, spot: Spot) -> str | None:
        """Return the cached JSON of a container without copies; a part with copies is noted."""
        if spot in self._ids:
            self._draft.has_copies = True
            return ""
        return self._texts.get(spot)

    def _keep_plain(self, spot: Spot, text: str) -> str:
        if self._is_shared(spot):
            self._draft.shared[spot] = text
        return text

    def _write_members(
        self, node: MapNode | ListNode, step: PathStep, before: tuple[Origin, ...]
    ) -> str:
        overridden = share_overridden(node, before + node.overrode)
        pairs = [
            (below.shown[-1], self._write(item, below, overridden(below.keys[-1])))
            for below, item in members_of(node, step, self._rules)
        ]
        return _write_container(node, pairs)

    def _write_open(self, node: Node, step: PathStep) -> str:
        """Return the JSON of a node without secrets, and collect its texts."""
        if isinstance(node, Leaf):
            return self._write_value(node.value)
        if not node.items:
            return "{}" if isinstance(node, MapNode) else "[]"
        known = self._recall_plain((node, step))
        if known is not None:
            return known
        return self._keep_plain((node, step), self._write_open_members(node, step))

    def _write_open_members(self, node: MapNode | ListNode, step: PathStep) -> str:
        write = self._write_open
        if isinstance(node, ListNode):
            items = [write(item, step.at(index)) for index, item in enumerate(node.items)]
            return f"[{', '.join(items)}]"
        texts = []
        for key, item in node.items.items():
            below = step.below(key)
            if not below.label:  # shown otherwise, or it needs a tag
                return self._write_members(node, step, ())
            texts.append(below.label + write(item, below))
        return f"{{{', '.join(texts)}}}"

    def _write_value(self, value: Any) -> str:
        kind = value.__class__
        if kind is str:
            self._draft.texts.append(value)
            return encode_basestring(value)
        if kind is int:
            text = str(value)
            self._draft.texts.append(text)
            return text
        if kind is bool:
            return "true" if value else "false"
        raw = searchable(value)
        if raw is not None:
            self._draft.others.append(raw)
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
        overridden = share_overridden(node, before + node.overrode)
        members = [
            (below.shown[-1], *self._write_copies(item, below, overridden(below.keys[-1]), own))
            for below, item in members_of(node, step, self._rules)
        ]
        text = _write_container(node, [(key, one) for key, one, _ in members])
        secret_ids = NO_SECRETS.union(*(one for _, _, one in members))
        if spot is not None and (spot in self._draft.shared or spot in self._ids):
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
    pairs = [f"[{write_as_salt(to_tagged(key))}, {text}]" for key, text in texts.items()]
    return f'{{"$map": [{", ".join(pairs)}]}}'
