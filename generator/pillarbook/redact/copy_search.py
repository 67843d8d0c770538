"""Which secrets a text is, or holds, and how a copy names the secret that it is one of."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pillarbook.model import KeyPath
from pillarbook.redact.secret_names import Names
from pillarbook.redact.secret_search import Searches, SecretSearch, searchable
from pillarbook.redact.secret_sources import canonical
from pillarbook.redact.secret_store import SecretStore, is_held
from pillarbook.redact.unredacted_texts import OpenTexts

MAX_ROOTS = 3
"""Secrets that are named of those that a value is derived from."""
COPY = "copy of a secret"
"""The reason of text that is, or holds, a secret of another source: which one is not told."""
MAX_KEPT = 10_000
"""Sets of copies that are remembered before all are let go."""


@dataclass(frozen=True, slots=True, eq=False)
class SecretPaths:
    """Secrets that stand in some texts, with their key paths; one object for each set."""

    in_order: tuple[tuple[int, str], ...] = ()
    """Place numbers and paths, those first that a copy is named after first. A path is empty where
    it is not to be told."""
    places: frozenset[int] = frozenset()
    """The place numbers."""
    ranks: Mapping[int, int] = field(default_factory=dict)
    """Where in the order each place stands."""
    by_value: Mapping[bytes, str] = field(default_factory=dict)
    """The path that a copy of a value is named after: the first that may be told."""

    def __bool__(self) -> bool:
        return bool(self.in_order)

    def __repr__(self) -> str:
        """Return how many there are, never a path."""
        return f"SecretPaths({len(self.in_order)} secrets)"


NONE = SecretPaths()
"""No secrets."""


class CopySearch:
    """Looks for the secrets of a store in texts: for a minion's own, or for all once frozen.

    Args:
        store: Holds the secrets.
        names: Rewrites the keys by which a secret is named.
    """

    def __init__(self, store: SecretStore, names: Names) -> None:
        self._store = store
        self._names = names
        self._searches = Searches(store)
        # By what it holds, so that each leaf of a part, and what is kept for the part, is asked
        # about one object and not about each secret again. Places keep their values for good.
        self._paths: dict[tuple[tuple[int, str], ...], SecretPaths] = {(): NONE}
        self.everything: SecretSearch | None = None
        """The search for every secret; None before they are frozen."""

    def freeze(self) -> SecretSearch:
        """From now on, look for every secret of the store; return that search."""
        self.everything = self._searches.among(frozenset(range(len(self._store))))
        return self.everything

    def search_for(self, own: Mapping[int, KeyPath]) -> SecretSearch:
        """Return what is to be looked for in a minion's texts: its own secrets, or all."""
        return self.everything or self._searches.among(frozenset(own))

    def find_in(self, texts: OpenTexts, own: Mapping[int, KeyPath]) -> SecretPaths:
        """Return the secrets that are in some texts, in one form or another."""
        if self.everything is not None:
            return self.named(texts.find_all(self.everything), own)
        return self.named(texts.find(frozenset(own), self._searches), own)

    def named(self, places: Iterable[int], own: Mapping[int, KeyPath]) -> SecretPaths:
        """Return secrets with their key paths, those first that a copy is named after first."""
        named = {place: self._name_of(place, own) for place in places}
        of_templates = {place for place in named if is_held(self._path_of(place, own))}

        def rank(place: int) -> tuple[bool, str, int]:
            return place in of_templates, named[place], place

        return self._take(tuple((place, named[place]) for place in sorted(named, key=rank)))

    def _take(self, in_order: tuple[tuple[int, str], ...]) -> SecretPaths:
        """Return the one object for some secrets."""
        known = self._paths.get(in_order)
        if known is None:
            if len(self._paths) >= MAX_KEPT:
                self._paths = {(): NONE}
            by_value: dict[bytes, str] = {}
            for place, path in in_order:
                content = canonical(self._store.value_of(place))
                by_value[content] = by_value.get(content) or path
            ranks = {place: rank for rank, (place, _) in enumerate(in_order)}
            known = SecretPaths(in_order, frozenset(ranks), ranks, by_value)
            self._paths[in_order] = known
        return known

    def _name_of(self, place: int, own: Mapping[int, KeyPath]) -> str:
        """Return the key path of a secret; empty if the secret must not be named."""
        if not self._store.may_name(place):
            return ""
        return self._names.clean_path(self._path_of(place, own))

    def _path_of(self, place: int, own: Mapping[int, KeyPath]) -> KeyPath:
        """Return the key path of a secret: the minion's, or one that says more."""
        path = own.get(place)
        return self._store.path_of(place) if path is None or is_held(path) else path

    def find_reason(self, value: Any) -> str | None:
        """Return which of all secrets a value is, or holds; None before they are frozen."""
        raw = searchable(value) if self.everything is not None else None
        if raw is None or self.everything is None:
            return None
        return self.reason_by(value, self.named(self.everything.places_in(raw), {}))

    def reason_by(self, value: Any, known: SecretPaths) -> str | None:
        """Return which of some secrets a value is, or holds in one form or another."""
        raw = searchable(value) if known else None
        if raw is None:
            return None
        equal = known.by_value.get(canonical(value))
        if equal:
            return f"same as {equal}"
        search = self.everything or self._searches.among(known.places)
        found = sorted(known.ranks[one] for one in search.places_in(raw) if one in known.ranks)
        roots = list(dict.fromkeys(known.in_order[rank][1] for rank in found))
        names = [path for path in roots if path]
        if names:
            return f"derived from {' and '.join(names[:MAX_ROOTS])}"
        return COPY if roots or equal is not None else None
