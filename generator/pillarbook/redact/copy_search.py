"""Finds copies of secrets in texts, and words the reason why a copy is redacted."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pillarbook.model import KeyPath
from pillarbook.redact.secret_names import Names
from pillarbook.redact.secret_search import Searches, SecretSearch, searchable
from pillarbook.redact.secret_sources import argument_in, canonical
from pillarbook.redact.secret_store import SecretStore, is_held
from pillarbook.redact.unredacted_texts import UnredactedTexts

MAX_ROOTS = 3
"""The most secrets that the reason of one derived value names."""
COPY = "copy of a secret"
"""The reason for text that equals or contains a secret from another source; it names no secret."""
MAX_KEPT = 10_000
"""The most sets of secrets that are cached; then the cache is emptied."""


@dataclass(frozen=True, slots=True, eq=False)
class SecretPaths:
    """The secrets that some texts contain, with their key paths; equal sets are one object."""

    in_order: tuple[tuple[int, str], ...] = ()
    """Secret ids and paths; a reason names the first ones. The path is empty if no reason may name
    the secret."""
    secret_ids: frozenset[int] = frozenset()
    """The secret ids."""
    ranks: Mapping[int, int] = field(default_factory=dict)
    """The index of each secret id in ``in_order``."""
    by_value: Mapping[bytes, str] = field(default_factory=dict)
    """By value, the path that the reason of a copy names: the first path that is not empty."""

    def __bool__(self) -> bool:
        return bool(self.in_order)

    def __repr__(self) -> str:
        """Return how many there are, never a path."""
        return f"SecretPaths({len(self.in_order)} secrets)"


NONE = SecretPaths()
"""No secrets."""


class CopySearch:
    """Looks for the secrets of a store in texts: first for those of one minion, later for all.

    ``names`` rewrites the keys by which a secret is named.
    """

    def __init__(self, store: SecretStore, names: Names) -> None:
        self._store = store
        self._names = names
        self._searches = Searches(store)
        # By content, so that caches of parts and leaves can use one object as their key. A secret
        # id keeps its value to the end of the run.
        self._paths: dict[tuple[tuple[int, str], ...], SecretPaths] = {(): NONE}
        self.everything: SecretSearch | None = None
        """The search for every secret; None before they are frozen."""

    def freeze(self) -> SecretSearch:
        """Return the search for every secret of the store, and use it from now on."""
        self.everything = self._searches.among(frozenset(range(len(self._store))))
        return self.everything

    def search_for(self, own: Mapping[int, KeyPath]) -> SecretSearch:
        """Return the search for a minion's texts: for its own secrets, or for all once frozen."""
        return self.everything or self._searches.among(frozenset(own))

    def find_in(self, texts: UnredactedTexts, own: Mapping[int, KeyPath]) -> SecretPaths:
        """Return the secrets that some texts contain in any form."""
        if self.everything is not None:
            return self.named(texts.find_all(self.everything), own)
        return self.named(texts.find(frozenset(own), self._searches), own)

    def named(self, secret_ids: Iterable[int], own: Mapping[int, KeyPath]) -> SecretPaths:
        """Return secrets with their key paths, in the order in which reasons name them."""
        named = {secret_id: self._name_of(secret_id, own) for secret_id in secret_ids}
        of_templates = {secret_id for secret_id in named if is_held(self._path_of(secret_id, own))}

        def rank(secret_id: int) -> tuple[bool, str, int]:
            return secret_id in of_templates, named[secret_id], secret_id

        return self._take(
            tuple((secret_id, named[secret_id]) for secret_id in sorted(named, key=rank))
        )

    def _take(self, in_order: tuple[tuple[int, str], ...]) -> SecretPaths:
        """Return the one object for a set of secrets."""
        known = self._paths.get(in_order)
        if known is None:
            if len(self._paths) >= MAX_KEPT:
                self._paths = {(): NONE}
            by_value: dict[bytes, str] = {}
            for secret_id, path in in_order:
                content = canonical(self._store.value_of(secret_id))
                by_value[content] = by_value.get(content) or path
            ranks = {secret_id: rank for rank, (secret_id, _) in enumerate(in_order)}
            known = SecretPaths(in_order, frozenset(ranks), ranks, by_value)
            self._paths[in_order] = known
        return known

    def _name_of(self, secret_id: int, own: Mapping[int, KeyPath]) -> str:
        """Return the key path of a secret as text; empty if no reason may name the secret."""
        if not self._store.may_name(secret_id):
            return ""
        path = self._path_of(secret_id, own)
        argument = argument_in(path)
        if argument is not None:
            return f"a state's `{self._names.clean_path(argument)}`"
        return self._names.clean_path(path)

    def _path_of(self, secret_id: int, own: Mapping[int, KeyPath]) -> KeyPath:
        """Return the key path of a secret in this minion, or else the store's path."""
        path = own.get(secret_id)
        return self._store.path_of(secret_id) if path is None or is_held(path) else path

    def find_reason(self, value: Any) -> str | None:
        """Return why a value is a copy of any secret; None if it is none, or before ``freeze``."""
        raw = searchable(value) if self.everything is not None else None
        if raw is None or self.everything is None:
            return None
        return self.reason_by(value, self.named(self.everything.ids_in(raw), {}))

    def reason_by(self, value: Any, known: SecretPaths) -> str | None:
        """Return why a value is a copy of one of some secrets; None if it is none."""
        raw = searchable(value) if known else None
        if raw is None:
            return None
        equal = known.by_value.get(canonical(value))
        if equal:
            return f"same as {equal}"
        search = self.everything or self._searches.among(known.secret_ids)
        found = sorted(known.ranks[one] for one in search.ids_in(raw) if one in known.ranks)
        roots = list(dict.fromkeys(known.in_order[rank][1] for rank in found))
        names = [path for path in roots if path]
        if names:
            return f"derived from {' and '.join(names[:MAX_ROOTS])}"
        return COPY if roots or equal is not None else None
